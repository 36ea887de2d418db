package io.kvstadium.engine.berkeleydb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.internal.open.Stores;
import io.kvstadium.testsupport.DirectoryState;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What another program made with JE itself. */
final class AdoptionTest {
  /** An order that no other program knows. */
  public static final class Backwards implements Comparator<byte[]>, Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public int compare(byte[] a, byte[] b) {
      return Arrays.compareUnsigned(b, a);
    }
  }

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void databasesAreTablesAsFarAsTheyCanBeAndNothingIsTouched(boolean transactional)
      throws IOException {
    DatabaseConfig plain =
        new DatabaseConfig().setAllowCreate(true).setTransactional(transactional);
    try (Environment environment = environment(transactional)) {
      put(environment, "people/all", plain);
      put(environment, "several", plain.clone().setSortedDuplicates(true));
      put(environment, "backwards", plain.clone().setBtreeComparator(Backwards.class));
    }
    Map<String, String> before = DirectoryState.of(directory);

    try (Store store = Stadium.open("berkeleydb:" + directory + "?adopt=true")) {
      assertThat(store.tables()).containsExactly("people/all");
      assertThat(Stores.unreadable(store)).containsOnlyKeys("several", "backwards");
      assertThat(store.capabilities()).doesNotContain(Capability.WRITE, Capability.BACKUP);
      assertThat(store.table("people/all").get(bytes("k"))).isEqualTo(bytes("v"));
      assertThat(store.table("people/all").count()).isEqualTo(1);
    }

    assertThat(DirectoryState.of(directory)).isEqualTo(before);
  }

  private Environment environment(boolean transactional) {
    return new Environment(
        directory.toFile(),
        new EnvironmentConfig().setAllowCreate(true).setTransactional(transactional));
  }

  private static void put(Environment environment, String name, DatabaseConfig config) {
    try (Database database = environment.openDatabase(null, name, config)) {
      database.put(null, new DatabaseEntry(bytes("k")), new DatabaseEntry(bytes("v")));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
