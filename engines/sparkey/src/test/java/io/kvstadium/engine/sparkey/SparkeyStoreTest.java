package io.kvstadium.engine.sparkey;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.spotify.sparkey.CompressionType;
import com.spotify.sparkey.Sparkey;
import com.spotify.sparkey.SparkeyWriter;
import io.kvstadium.conformance.ChildProcess;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.testsupport.Needs;
import java.io.File;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparkeyStoreTest {
  private static final int ENTRIES = 2_000;

  @TempDir Path directory;

  private Store open(String options) {
    return Stadium.open("sparkey:" + directory + options);
  }

  private static byte[] bytes(Object text) {
    return text.toString().getBytes(UTF_8);
  }

  private static Iterator<Entry<byte[], byte[]>> entries(int generation) {
    return IntStream.range(0, ENTRIES)
        .mapToObj(i -> new Entry<>(bytes("k" + i), bytes(generation + ":" + i)))
        .iterator();
  }

  private List<String> files() throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private File base(int number) {
    return new Layout(directory).base(Store.DEFAULT_TABLE, number);
  }

  @Test
  void single_writes_are_refused_with_the_way_to_go() {
    try (Store store = open("")) {
      Table<byte[], byte[]> table = store.table();
      assertThatThrownBy(() -> table.put(bytes("k"), bytes("v")))
          .isInstanceOf(UnsupportedException.class)
          .hasMessageContaining("by bulkLoad() only");
      assertThatThrownBy(table::clear).isInstanceOf(UnsupportedException.class);
      assertThatThrownBy(() -> table.delete(bytes("k"))).isInstanceOf(UnsupportedException.class);
    }
  }

  @Test
  void old_files_go_with_the_last_that_uses_them_and_nothing_stays_mapped() throws Exception {
    int maps = Sparkey.getOpenMaps();
    int opened = Sparkey.getOpenFiles();
    try (Store store = open("")) {
      Table<byte[], byte[]> table = store.table();
      table.bulkLoad(entries(1), false);
      try (Snapshot snapshot = store.snapshot();
          Cursor<byte[], byte[]> cursor = table.scan(Range.all())) {
        table.bulkLoad(entries(2), false);
        table.bulkLoad(entries(3), false);
        assertThat(snapshot.on(table).get(bytes("k7"))).isEqualTo(bytes("1:7"));
        while (cursor.next()) {
          assertThat(cursor.value()).startsWith(bytes("1:"));
        }
        assertThat(files()).contains(base(2).getName() + ".spl").doesNotContain(base(3) + ".spl");
      }
      assertThat(files())
          .containsExactly("stadium.lock", base(4).getName() + ".spi", base(4).getName() + ".spl");
    }
    assertThat(Sparkey.getOpenMaps()).isEqualTo(maps);
    assertThat(Sparkey.getOpenFiles()).isEqualTo(opened);
  }

  @Test
  void log_holds_no_dead_entries() throws Exception {
    try (Store store = open("")) {
      List<Entry<byte[], byte[]>> twice = new ArrayList<>();
      entries(1).forEachRemaining(twice::add);
      entries(2).forEachRemaining(twice::add);
      store.table().bulkLoad(twice.iterator(), false);
      store.table().bulkLoad(entries(3), false);
    }
    assertThat(Sparkey.getLogHeader(Layout.log(base(3)).toFile()).getNumPuts()).isEqualTo(ENTRIES);
  }

  @Test
  void options_take_effect() throws Exception {
    try (Store store = open("?compression=snappy&block_size=64k&table.plain.compression=none")) {
      store.table().bulkLoad(entries(1), false);
      store.table("plain").bulkLoad(entries(1), false);
    }

    File plain = new Layout(directory).newest().get("plain").base();
    assertThat(Sparkey.getLogHeader(Layout.log(base(2)).toFile()).getCompressionType())
        .isEqualTo(CompressionType.SNAPPY);
    assertThat(Sparkey.getLogHeader(Layout.log(base(2)).toFile()).getCompressionBlockSize())
        .isEqualTo(64 << 10);
    assertThat(Sparkey.getLogHeader(Layout.log(plain).toFile()).getCompressionType())
        .isEqualTo(CompressionType.NONE);
    assertThatThrownBy(() -> open("?block_size=100")).isInstanceOf(BadArgumentException.class);
  }

  @Tag("full")
  @Test
  void value_of_many_blocks_and_long_keys_are_read_and_merged() {
    byte[] large = new byte[64 << 20];
    large[large.length - 1] = 1;
    byte[] key = new byte[1 << 20];
    try (Store store = open("?compression=zstd&block_size=1k&durability=none")) {
      Table<byte[], byte[]> table = store.table();
      table.bulkLoad(
          List.of(new Entry<>(key, bytes("v")), new Entry<>(bytes("k"), large)).iterator(), true);
      table.bulkLoad(List.of(new Entry<>(bytes("a"), bytes("b"))).iterator(), true);

      assertThat(table.get(bytes("k"))).isEqualTo(large);
      assertThat(table.get(key)).isEqualTo(bytes("v"));
      assertThat(table.count()).isEqualTo(3);
    }
  }

  @Test
  void damaged_and_foreign_files_are_reported() throws Exception {
    open("").close();
    try (SparkeyWriter writer = Sparkey.createNew(base(7))) {
      writer.put("a", "1");
      writer.put("a", "2");
      writer.writeHash();
    }
    assertThatThrownBy(() -> open(""))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("another program");

    try (FileChannel log = FileChannel.open(Layout.log(base(7)), StandardOpenOption.WRITE)) {
      log.truncate(20);
    }
    assertThatThrownBy(() -> open(""))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(base(7).toString());
    Files.writeString(Layout.index(base(7)), "no index at all");
    assertThatThrownBy(() -> open("")).isInstanceOf(CorruptException.class);
  }

  @Test
  void index_that_points_nowhere_is_an_error_and_not_a_crash() throws Exception {
    try (Store store = open("")) {
      store.table().bulkLoad(entries(1), false);
    }
    byte[] index = Files.readAllBytes(Layout.index(base(2)));
    for (int i = 112; i < index.length; i++) {
      index[i] |= 0x70;
    }
    Files.write(Layout.index(base(2)), index);

    try (Store store = open("")) {
      for (int i = 0; i < 100; i++) {
        try {
          store.table().get(bytes("k" + i));
        } catch (CorruptException e) {
          assertThat(e).hasMessageContaining("backup");
        }
      }
    }
  }

  @Test
  void read_only_store_leaves_even_leftovers_alone() throws Exception {
    try (Store store = open("")) {
      store.table().bulkLoad(entries(1), false);
    }
    Path leftover = Layout.log(base(9));
    Files.writeString(leftover, "half written");

    try (Store store = Stadium.open("sparkey:" + directory, OpenOptions.DEFAULT.readOnly(true))) {
      assertThat(store.table().get(bytes("k1"))).isEqualTo(bytes("1:1"));
    }
    assertThat(leftover).exists();
    open("").close();
    assertThat(leftover).doesNotExist();
  }

  @Test
  void readers_of_many_threads_survive_many_loads() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    try (Store store = open("?durability=none");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Table<byte[], byte[]> table = store.table();
      table.bulkLoad(entries(0), false);
      List<Future<?>> readers = new ArrayList<>();
      for (int reader = 0; reader < 16; reader++) {
        int first = reader;
        readers.add(
            threads.submit(() -> {
              int least = 0; // a reader never goes back to an older generation
              for (int i = first; !done.get(); i = (i + 1) % ENTRIES) {
                String value = new String(table.get(bytes("k" + i)), UTF_8);
                int generation = Integer.parseInt(value.substring(0, value.indexOf(':')));
                assertThat(generation).isGreaterThanOrEqualTo(least);
                assertThat(value).endsWith(":" + i);
                least = generation;
                LockSupport.parkNanos(1); // virtual threads that never wait let no other run
              }
            }));
      }
      try {
        for (int generation = 1; generation <= 60; generation++) {
          table.bulkLoad(entries(generation), false);
        }
      } finally {
        done.set(true);
      }
      for (Future<?> reader : readers) {
        reader.get();
      }
    }
  }

  @Test
  @Tag("full")
  void a_codec_that_cannot_be_loaded_is_told_in_one_line() throws Exception {
    Needs.that(ChildProcess.canMount(), "namespaces of mounts", "util-linux");

    assertThat(ChildProcess.withNoexec(LoadsCompressed.class, directory.resolve("noexec")))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("mounted noexec", "-Djava.io.tmpdir");
  }

  /** Prints what a load says. */
  static final class LoadsCompressed {
    private LoadsCompressed() {}

    public static void main(String[] arguments) {
      String url = "sparkey:" + arguments[0] + "/store?compression=zstd";
      try (Store store = Stadium.open(url)) {
        store.table().bulkLoad(entries(1), false);
      } catch (UnsupportedException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
