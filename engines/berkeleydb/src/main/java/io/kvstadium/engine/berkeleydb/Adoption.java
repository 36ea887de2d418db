package io.kvstadium.engine.berkeleydb;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.Environment;
import java.util.HashMap;
import java.util.Map;

/** What another program has in an environment. */
final class Adoption {
  /** A database is opened as its program made it. */
  static final DatabaseConfig AS_IT_IS =
      new DatabaseConfig().setUseExistingConfig(true).setReadOnly(true);

  private Adoption() {}

  /** The databases that are no tables of entries in the order of their keys' bytes, and why. */
  static Map<String, String> unreadable(Environment environment) {
    Map<String, String> unreadable = new HashMap<>();
    for (String name : environment.getDatabaseNames()) {
      try (Database database = environment.openDatabase(null, name, AS_IT_IS)) {
        if (database.getConfig().getSortedDuplicates()) {
          unreadable.put(name, "it holds several values for a key (sorted duplicates)");
        } else if (database.getConfig().getBtreeComparator() != null) {
          unreadable.put(name, "its keys are ordered by a class of the program that wrote them");
        }
      } catch (DatabaseException | IllegalArgumentException | IllegalStateException e) {
        unreadable.put(name, "JE cannot open it: " + e.getMessage());
      }
    }
    return unreadable;
  }
}
