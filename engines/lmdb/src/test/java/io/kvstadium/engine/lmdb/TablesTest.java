package io.kvstadium.engine.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.conformance.ChildProcess;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.FullException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.testsupport.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;

final class TablesTest {
  @TempDir Path directory;

  @Test
  void manyTablesAreKeptApartAndFoundAgain() {
    try (LmdbStore store = Stores.open(directory)) {
      for (int i = 0; i < 200; i++) {
        store.put(Stores.table(store, "t" + i), Stores.key(1), Stores.key(i));
      }
    }
    try (LmdbStore store = Stores.open(directory)) {
      assertThat(store.tables()).hasSize(201).contains("t0", "t199");
      for (int i = 0; i < 200; i++) {
        assertThat(store.get(Stores.table(store, "t" + i), Stores.key(1))).isEqualTo(Stores.key(i));
      }
    }
  }

  @Test
  void oneTableTooManyIsRefusedWithTheOptionsName() {
    try (Store store = Stadium.open("lmdb:" + directory + "?max_tables=4")) {
      for (int i = 0; i < 3; i++) {
        store.table("t" + i);
      }
      assertThatThrownBy(() -> store.table("t3"))
          .isInstanceOf(FullException.class)
          .hasMessageContaining("max_tables");
      // and room comes back with a drop
      store.dropTable("t1");
      store.table("t3").put(Stores.key(1), Stores.key(1));
      assertThat(store.tables()).containsExactlyInAnyOrder("default", "t0", "t2", "t3");
    }
  }

  @Test
  void droppedTableIsEmptyWhenMadeAgain() {
    try (LmdbStore store = Stores.open(directory)) {
      LmdbTable table = Stores.table(store, "t");
      store.put(table, Stores.key(1), Stores.key(1));
      store.dropTable(table);
      assertThat(store.openTable("t", Stores.NO_OPTIONS, false)).isNull();
      assertThat(store.count(Stores.table(store, "t"))).isZero();
    }
  }

  @Test
  void tableThatIsYoungerThanASnapshotIsEmptyInIt() throws Exception {
    try (LmdbStore store = Stores.open(directory);
        var snapshot = store.snapshot()) {
      LmdbTable young = Stores.table(store, "young");
      store.put(young, Stores.key(1), Stores.key(1));
      assertThat(snapshot.get(young, Stores.key(1))).isNull();
      assertThat(snapshot.contains(young, Stores.key(1))).isFalse();
      try (EngineCursor cursor = snapshot.cursor(young, Range.all())) {
        assertThat(cursor.next()).isFalse();
      }
    }
  }

  @Test
  void readOnlyStoreHasWhatIsThereAndMakesNothing() {
    try (LmdbStore store = Stores.open(directory)) {
      store.put(Stores.table(store, "t"), Stores.key(1), Stores.key(1));
    }
    try (LmdbStore store = Stores.openReadOnly(directory)) {
      assertThat(store.openTable("other", Stores.NO_OPTIONS, false)).isNull();
      LmdbTable table = store.openTable("t", Stores.NO_OPTIONS, false);
      assertThat(table).isNotNull();
      assertThat(store.get(table, Stores.key(1))).isEqualTo(Stores.key(1));
      assertThat(store.count(table)).isEqualTo(1);
    }
  }

  @Test
  void entriesOfAnotherProgramsUnnamedDatabaseAreNotLeftOutSilently() throws IOException {
    Files.createFile(directory.resolve("stadium.lock")); // it writes into a store of ours
    assertThat(new LmdbEngine().unavailable()).isNull();
    try (Env<Slice> env =
        Env.create(new SliceProxy()).setMaxDbs(2).open(directory.toFile(), EnvFlags.MDB_NOTLS)) {
      var unnamed = env.openDbi((byte[]) null);
      env.openDbi("theirs", DbiFlags.MDB_CREATE);
      try (var txn = env.txnWrite()) {
        unnamed.reserve(txn, new KeyBuffer().hold(Stores.bytes("entry")), 3).fill(new byte[3]);
        txn.commit();
      }
    }
    for (String option : List.of("", "?read_only=true")) {
      assertThatThrownBy(() -> Stadium.open("lmdb:" + directory + option))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("adopt=true");
    }
  }

  @Test
  void databaseWithAnotherProgramsFlagsIsRefused() throws IOException {
    Files.createFile(directory.resolve("stadium.lock"));
    assertThat(new LmdbEngine().unavailable()).isNull();
    try (Env<Slice> env =
        Env.create(new SliceProxy()).setMaxDbs(2).open(directory.toFile(), EnvFlags.MDB_NOTLS)) {
      env.openDbi("theirs", DbiFlags.MDB_CREATE, DbiFlags.MDB_DUPSORT);
    }
    assertThatThrownBy(() -> Stadium.open("lmdb:" + directory))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("theirs was made with [MDB_DUPSORT]")
        .hasMessageContaining("adopt=true");
  }

  @Test
  void fileOfAnotherKindIsCorrupt() throws IOException {
    Files.write(directory.resolve("data.mdb"), new byte[16_384]);
    Files.createFile(directory.resolve("stadium.lock")); // or it would be another program's
    assertThatThrownBy(() -> Stadium.open("lmdb:" + directory))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(directory.toString());
  }

  @Test
  void levelsMapToFlags() {
    assertThat(Environment.flags(Stores.config(directory, Durability.PROCESS, false)))
        .contains(EnvFlags.MDB_NOSYNC);
    assertThat(Environment.flags(Stores.config(directory, Durability.CONSISTENT, false)))
        .contains(EnvFlags.MDB_NOMETASYNC)
        .doesNotContain(EnvFlags.MDB_NOSYNC, EnvFlags.MDB_WRITEMAP);
    assertThat(Environment.flags(Stores.config(directory, Durability.POWER, false)))
        .containsExactly(EnvFlags.MDB_NOTLS);
  }

  @Test
  void nativeLibraryLeavesNoFilesBehind() throws Exception {
    List<String> command = new ArrayList<>(ChildProcess.command(LoadsLibrary.class));
    command.add(1, "-Djava.io.tmpdir=" + directory);

    Process process = new ProcessBuilder(command).inheritIO().start();

    assertThat(process.waitFor()).isZero();
    try (var files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  /** A program that needs LMDB's library. */
  static final class LoadsLibrary {
    private LoadsLibrary() {}

    public static void main(String[] arguments) {
      if (new LmdbEngine().unavailable() != null) {
        throw new IllegalStateException("no library");
      }
    }
  }

  @Test
  @Tag("full")
  void temporaryDirectoryWithoutExecutionIsToldInOneLine() throws Exception {
    Needs.that(ChildProcess.canMount(), "namespaces of mounts", "util-linux");

    assertThat(ChildProcess.withNoexec(Unavailable.class, directory.resolve("noexec")))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("mounted noexec", "-Djava.io.tmpdir");
  }

  /** Prints why LMDB cannot be used. */
  static final class Unavailable {
    private Unavailable() {}

    public static void main(String[] arguments) {
      System.out.println(new LmdbEngine().unavailable());
    }
  }
}
