package io.kvstadium.engine.rocksjava;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.internal.open.Stores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.AbstractComparator;
import org.rocksdb.BuiltinComparator;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.TtlDB;

/** Databases that RocksDB's own interface made, without this library. */
final class AdoptionTest {
  @TempDir Path directory;

  @BeforeAll
  static void loadTheLibrary(@TempDir Path other) {
    Stadium.open("rocksdb:" + other.resolve("any")).close();
  }

  @Test
  void columnFamiliesAreTablesAndNothingIsLeftBeside() throws Exception {
    try (Families db = new Families(null)) {
      db.put("default", "a", "1");
      db.put("users of ours", "ann", "41");
      db.put("reverse", "a", "1");
    }
    Set<String> before = names();
    for (String url : List.of("rocksdb:" + directory, "rocksdb:" + directory + "?read_only=true")) {
      assertThatThrownBy(() -> Stadium.open(url))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("adopt=true");
    }
    assertThatThrownBy(() -> Stadium.destroy("rocksdb:" + directory))
        .isInstanceOf(BadArgumentException.class);
    assertThat(names()).isEqualTo(before);
    try (Store store = Stadium.open(url())) {
      assertThat(store.tables()).containsExactly("default", "users of ours");
      assertThat(Stores.unreadable(store)).containsOnlyKeys("merged", "reverse");
      assertThat(Stores.unreadable(store).get("merged")).contains("StringAppendOperator");
      assertThat(store.table().get(bytes("a"))).isEqualTo(bytes("1"));
      assertThat(store.table("users of ours").get(bytes("ann"))).isEqualTo(bytes("41"));
      assertThatThrownBy(() -> store.table().put(bytes("k"), bytes("v")))
          .isInstanceOf(UnsupportedException.class);
    }
    assertThat(names()).isEqualTo(before);
  }

  @Test
  void ownComparatorIsRefusedAndTheRestIsRead() throws Exception {
    try (ByLength byLength = new ByLength();
        Families db = new Families(byLength)) {
      db.put("own", "aa", "1");
      db.put("default", "a", "2");
    }
    try (Store store = Stadium.open(url())) {
      assertThat(store.tables()).doesNotContain("own").contains("default");
      assertThat(Stores.unreadable(store).get("own")).contains("by length");
      assertThat(store.table().get(bytes("a"))).isEqualTo(bytes("2"));
      assertThatThrownBy(() -> store.table("own"))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("by length");
    }
    // without an OPTIONS file RocksDB itself refuses the wrong order
    for (Path options : files("OPTIONS-")) {
      Files.delete(options);
    }
    assertThatThrownBy(() -> Stadium.open(url()))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("not in the order of their bytes");
  }

  @Test
  void valuesThatEndInATimeAreNotTakenForValues() throws Exception {
    try (Options options = new Options().setCreateIfMissing(true);
        TtlDB db = TtlDB.open(options, directory.toString(), 100, false)) {
      db.put(bytes("a"), bytes("1"));
    }
    assertThatThrownBy(() -> Stadium.open(url()))
        .isInstanceOf(UnsupportedException.class)
        .hasMessageContaining("TtlDB");
  }

  @Test
  void aLogElsewhereIsReadToo(@TempDir Path logs) throws Exception {
    try (org.rocksdb.Options options =
            new org.rocksdb.Options().setCreateIfMissing(true).setWalDir(logs.toString());
        RocksDB db = RocksDB.open(options, directory.toString())) {
      db.put(bytes("k"), bytes("only in the log"));
    }
    try (Store store = Stadium.open(url())) {
      assertThat(store.table().get(bytes("k"))).isEqualTo(bytes("only in the log"));
    }
    Files.move(logs, logs.resolveSibling("moved"));
    try {
      assertThatThrownBy(() -> Stadium.open(url()))
          .isInstanceOf(UnsupportedException.class)
          .hasMessageContaining("wal_dir");
    } finally {
      Files.move(logs.resolveSibling("moved"), logs);
    }
  }

  @Test
  void nothingIsLeftWhereItsOptionsCannotBeRead() throws Exception {
    try (Families db = new Families(null)) {
      db.put("default", "a", "1");
    }
    Files.createDirectory(directory.resolve("OPTIONS-999999")); // newest, and no file
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    List<Path> before = files(temporary, "kv-stadium-secondary");
    assertThatThrownBy(() -> Stadium.open(url())).isInstanceOf(StadiumException.class);
    assertThat(files(temporary, "kv-stadium-secondary")).isEqualTo(before);
  }

  @Test
  void whatIsNotThereIsNotMade() {
    assertThatThrownBy(() -> Stadium.open("rocksdb:" + directory.resolve("none") + "?adopt=true"))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("there is no rocksdb store");
    assertThat(directory.resolve("none")).doesNotExist();
  }

  private String url() {
    return "rocksdb:" + directory + "?adopt=true";
  }

  private Set<String> names() throws IOException {
    try (var files = Files.list(directory)) {
      return files.map(each -> each.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  private List<Path> files(String prefix) throws IOException {
    return files(directory, prefix);
  }

  private static List<Path> files(Path directory, String prefix) throws IOException {
    try (var files = Files.list(directory)) {
      return files.filter(each -> each.getFileName().toString().startsWith(prefix)).toList();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A database with column families of several kinds, made if it is not there. */
  private final class Families implements AutoCloseable {
    final RocksDB db;
    private final List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    private final List<ColumnFamilyHandle> handles = new ArrayList<>();
    private final StringAppendOperator append = new StringAppendOperator();

    Families(@Nullable AbstractComparator own) throws RocksDBException {
      add("default", new ColumnFamilyOptions());
      add("users of ours", new ColumnFamilyOptions());
      add(
          "reverse",
          new ColumnFamilyOptions().setComparator(BuiltinComparator.REVERSE_BYTEWISE_COMPARATOR));
      add("merged", new ColumnFamilyOptions().setMergeOperator(append));
      if (own != null) {
        add("own", new ColumnFamilyOptions().setComparator(own));
      }
      try (DBOptions options =
          new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true)) {
        db = RocksDB.open(options, directory.toString(), descriptors, handles);
      }
    }

    private void add(String name, ColumnFamilyOptions options) {
      descriptors.add(new ColumnFamilyDescriptor(bytes(name), options));
    }

    ColumnFamilyHandle handle(String name) {
      for (int i = 0; i < handles.size(); i++) {
        if (new String(descriptors.get(i).getName(), StandardCharsets.UTF_8).equals(name)) {
          return handles.get(i);
        }
      }
      throw new IllegalArgumentException(name);
    }

    void put(String family, String key, String value) throws RocksDBException {
      db.put(handle(family), bytes(key), bytes(value));
    }

    @Override
    public void close() {
      handles.forEach(ColumnFamilyHandle::close);
      db.close();
      descriptors.forEach(each -> each.getOptions().close());
      append.close();
    }
  }

  /** An order other than RocksDB's. */
  private static final class ByLength extends AbstractComparator {
    ByLength() {
      super(new ComparatorOptions());
    }

    @Override
    public String name() {
      return "by length";
    }

    @Override
    public int compare(ByteBuffer a, ByteBuffer b) {
      int order = Integer.compare(a.remaining(), b.remaining());
      return order != 0 ? order : a.compareTo(b);
    }
  }
}
