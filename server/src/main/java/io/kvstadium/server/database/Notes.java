package io.kvstadium.server.database;

import io.kvstadium.server.execute.ReadView;
import io.kvstadium.server.execute.Walk;
import io.kvstadium.store.Range;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What else is stored about all databases, in the first one: texts by name. It stays when that is
 * cleared.
 */
public final class Notes {
  private final Database database;
  private final ReadView table;

  Notes(Database database, ReadView table) {
    this.database = database;
    this.table = table;
  }

  /** A note, or {@code null}. */
  public byte @Nullable [] get(String name) {
    return database.raw() ? null : table.get(Keys.note(name));
  }

  public void put(String name, byte[] value) {
    table.writable().put(Keys.note(name), value);
  }

  public void remove(String name) {
    table.writable().delete(Keys.note(name));
  }

  /** The notes whose names have a prefix, by the rest of their names. */
  public Map<String, byte[]> all(String prefix) {
    Map<String, byte[]> found = new TreeMap<>();
    if (!database.raw()) {
      try (Walk walk = table.scan(Range.prefix(Keys.note(prefix)))) {
        while (walk.next()) {
          found.put(Keys.noteName(walk.key()).substring(prefix.length()), walk.value());
        }
      }
    }
    return found;
  }
}
