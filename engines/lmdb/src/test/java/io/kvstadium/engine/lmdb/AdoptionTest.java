package io.kvstadium.engine.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.internal.open.Stores;
import io.kvstadium.testsupport.Needs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;

/** What other programs made with lmdbjava and with LMDB's own tools. */
final class AdoptionTest {
  @TempDir Path directory;

  @BeforeAll
  static void loadTheLibrary() {
    assertThat(new LmdbEngine().unavailable()).isNull();
  }

  @Test
  void theLockFileOfItsProgramKeepsItsLength() throws IOException {
    try (Env<Slice> env = env(directory, EnvFlags.MDB_NOTLS)) {
      put(env, "users", bytes("ann"), bytes("41"));
    }
    long before = Files.size(directory.resolve("lock.mdb"));

    try (Store store = Stadium.open("lmdb:" + directory + "?adopt=true")) {
      assertThat(store.table("users").count()).isEqualTo(1);
    }

    assertThat(Files.size(directory.resolve("lock.mdb"))).isEqualTo(before);
  }

  @Test
  void namedDatabasesAreTablesAsFarAsTheyCanBe() throws IOException {
    byte[] record = bytes("x".repeat(48)); // as long as the record of a named database
    try (Env<Slice> env = env(directory, EnvFlags.MDB_NOTLS)) {
      put(env, null, bytes("users2"), record);
      put(env, "users", bytes("ann"), bytes("41"));
      put(env, "of whom/what", bytes("k"), bytes("v"));
      put(env, "several", bytes("k"), bytes("v"), DbiFlags.MDB_DUPSORT);
      put(env, "numbers", number(1), bytes("n"), DbiFlags.MDB_INTEGERKEY);
      put(env, "backwards", bytes("ab"), bytes("1"), DbiFlags.MDB_REVERSEKEY);
    }
    assertThatThrownBy(() -> Stadium.open("lmdb:" + directory))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("adopt=true");
    assertThatThrownBy(() -> Stadium.destroy("lmdb:" + directory))
        .isInstanceOf(BadArgumentException.class);
    assertThat(names(directory)).containsExactlyInAnyOrder("data.mdb", "lock.mdb");
    try (Store store = Stadium.open("lmdb:" + directory + "?adopt=true")) {
      assertThat(store.tables()).containsExactly("of whom/what", "users");
      assertThat(Stores.unreadable(store))
          .containsOnlyKeys("several", "numbers", "backwards", "(unnamed)");
      assertThat(store.capabilities())
          .contains(Capability.ADOPT, Capability.SNAPSHOT)
          .doesNotContain(Capability.WRITE, Capability.BACKUP);

      assertThat(store.table("of whom/what").get(bytes("k"))).isEqualTo(bytes("v"));
      assertThatThrownBy(() -> store.table("several"))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("MDB_DUPSORT");
      assertThatThrownBy(() -> store.table("absent"))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("there is no table absent");
      assertThatThrownBy(() -> Stadium.open("lmdb:" + directory + "?adopt=true"))
          .isInstanceOf(LockedException.class);
    }
    assertThat(names(directory)).containsExactlyInAnyOrder("data.mdb", "lock.mdb");
  }

  @Test
  void fileWithoutADirectoryIsAdopted() throws IOException {
    Path file = directory.resolve("cache.mdb");
    try (Env<Slice> env = env(file, EnvFlags.MDB_NOTLS, EnvFlags.MDB_NOSUBDIR)) {
      put(env, null, bytes("k"), bytes("v"));
    }
    try (Store store = Stadium.open("lmdb:" + file + "?adopt=true")) {
      assertThat(store.tables()).containsExactly("default");
      assertThat(store.table().get(bytes("k"))).isEqualTo(bytes("v"));
      assertThat(store.sizeOnDisk()).isPositive();
    }
    assertThat(names(directory)).containsExactlyInAnyOrder("cache.mdb", "cache.mdb-lock");
  }

  @Test
  void whatMdbLoadMadeIsAdopted() throws Exception {
    load("unnamed", "VERSION=3\nformat=print\ntype=btree\nHEADER=END\n a\n 1\n b\n 2\nDATA=END\n");
    load(
        "named",
        "VERSION=3\nformat=print\ntype=btree\ndatabase=people\nHEADER=END\n ann\n 41\nDATA=END\n");
    try (Store store = Stadium.open("lmdb:" + directory.resolve("unnamed") + "?adopt=true")) {
      assertThat(store.tables()).containsExactly("default");
      assertThat(entries(store, "default", Range.all())).containsExactly("a=1", "b=2");
      assertThat(store.table().count()).isEqualTo(2);
    }
    try (Store store = Stadium.open("lmdb:" + directory.resolve("named") + "?adopt=true")) {
      assertThat(store.tables()).containsExactly("people");
      assertThat(entries(store, "people", Range.all())).containsExactly("ann=41");
    }
  }

  private void load(String name, String dump) throws IOException, InterruptedException {
    Needs.program("mdb_load", "lmdb-utils");
    Path environment = Files.createDirectories(directory.resolve(name));
    Path file = Files.writeString(directory.resolve(name + ".txt"), dump);
    Process process =
        new ProcessBuilder("/usr/bin/mdb_load", "-f", file.toString(), environment.toString())
            .inheritIO()
            .start();
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void nothingIsWrittenWhateverIsAskedFor() throws IOException {
    try (Env<Slice> env = env(directory, EnvFlags.MDB_NOTLS)) {
      put(env, "users", bytes("ann"), bytes("41"));
    }
    String url = "lmdb:" + directory + "?adopt=true";
    try (Store store = Stadium.open(url)) {
      assertThatThrownBy(() -> store.table("users").put(bytes("bob"), bytes("7")))
          .isInstanceOf(UnsupportedException.class);
    }
    assertThatThrownBy(() -> Stadium.open(url + "&read_only=false"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("leave read_only=false out");
    assertThat(names(directory)).containsExactlyInAnyOrder("data.mdb", "lock.mdb");
  }

  @Test
  void whatCannotBeAdoptedSaysWhy() throws IOException {
    String url = "lmdb:" + directory;
    assertThatThrownBy(() -> Stadium.open(url + "?adopt=true"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("there is no lmdb store");
    Stadium.open(url).close();
    assertThatThrownBy(() -> Stadium.open(url + "/data.mdb?adopt=true"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("name the directory");
    assertThatThrownBy(() -> Stadium.destroy(url + "?adopt=true"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("not removed");
    assertThatThrownBy(() -> Stadium.open(url + "?adopt=maybe"))
        .isInstanceOf(BadArgumentException.class);
    assertThat(directory.resolve("data.mdb")).exists();
  }

  private static Env<Slice> env(Path place, EnvFlags... flags) {
    return Env.create(new SliceProxy())
        .setMaxDbs(9)
        .setMapSize(1 << 24)
        .open(place.toFile(), flags);
  }

  private static void put(
      Env<Slice> env, @Nullable String name, byte[] key, byte[] value, DbiFlags... flags) {
    List<DbiFlags> all = new ArrayList<>(List.of(flags));
    if (name != null) {
      all.add(DbiFlags.MDB_CREATE);
    }
    var dbi =
        name == null ? env.openDbi((byte[]) null) : env.openDbi(name, all.toArray(DbiFlags[]::new));
    KeyBuffer keys = new KeyBuffer();
    KeyBuffer values = new KeyBuffer();
    try (var txn = env.txnWrite()) {
      dbi.put(txn, keys.hold(key), values.hold(value));
      txn.commit();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] number(int number) {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder()).putInt(number).array();
  }

  private static List<String> entries(Store store, String table, Range<byte[]> range) {
    List<String> entries = new ArrayList<>();
    try (Cursor<byte[], byte[]> cursor = store.table(table).scan(range)) {
      while (cursor.next()) {
        entries.add(text(cursor.key()) + "=" + text(cursor.value()));
      }
    }
    return entries;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static List<String> names(Path directory) throws IOException {
    try (var files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
