package io.kvstadium.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import io.kvstadium.store.Table;
import io.kvstadium.store.internal.open.Stores;
import io.kvstadium.testsupport.Needs;
import io.kvstadium.transfer.format.ContentSum;
import io.kvstadium.transfer.format.Format;
import io.kvstadium.transfer.source.Sources;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores that are copied from engine to engine, through files and after interruptions. */
class CircleTest {
  @TempDir private Path directory;

  private String url(String engine, String name) {
    return engine + ":" + directory.resolve(name);
  }

  @Test
  void aCircleOfEnginesBringsBackWhatWentIn() {
    try (Store first = Stadium.open(url("lmdb", "a"));
        Store rocksdb = Stadium.open(url("rocksdb", "b"));
        Store sqlite = Stadium.open(url("sqlite", "c"));
        Store mvstore = Stadium.open(url("mvstore", "d"));
        Store memory = Stadium.open("memory:");
        Store last = Stadium.open(url("lmdb", "e"))) {
      fill(first);
      List<Store> circle = List.of(first, rocksdb, sqlite, mvstore, memory, last);

      for (int i = 1; i < circle.size(); i++) {
        CopyResult result = Copy.run(circle.get(i - 1), circle.get(i));

        assertThat(result.identical()).as(circle.get(i).url()).isTrue();
        assertThat(result.source().entries()).isEqualTo(2_004);
      }

      assertThat(sums(last)).isEqualTo(sums(first));
      assertThat(last.table("users").get(key(7))).isEqualTo(first.table("users").get(key(7)));
    }
    Stadium.open(url("lmdb", "e")).close(); // is not marked
  }

  @Test
  void aCopyThatWasInterruptedGoesOnWhereItWas() {
    AtomicLong loaded = new AtomicLong();
    StoreListener listener =
        new StoreListener() {
          @Override
          public void called(Call call, String table, long nanoseconds, long bytes) {
            loaded.addAndGet(call == Call.BULK_LOAD ? bytes : 0);
          }
        };
    try (Store source = Stadium.open(url("mvstore", "from"))) {
      for (String name : List.of("a", "b")) {
        load(source.table(name), 3_000, 1_000);
      }
      String target = url("sqlite", "to");
      CopyOptions interrupted = CopyOptions.DEFAULT.progress(CircleTest::interruptInTheSecond);

      try (Store store = Stadium.open(target)) {
        assertThatThrownBy(() -> Copy.run(source, store, interrupted)).hasMessage("enough");
        assertThat(Stores.incomplete(store)).startsWith("a copy from mvstore:");
      }

      assertThatThrownBy(() -> Stadium.open(target))
          .isInstanceOf(BadArgumentException.class)
          .hasMessageContaining("is not complete: a copy from mvstore:")
          .hasMessageContaining("incomplete=true");
      try (Store store =
          io.kvstadium.store.Engines.installed()
              .open(target + "?incomplete=true", OpenOptions.DEFAULT.listener(listener))) {
        assertThatThrownBy(() -> Copy.run(source, store, CopyOptions.DEFAULT.table("a")))
            .hasMessageContaining("has not finished, and what is requested now has another source");
        CopyResult result = Copy.run(source, store);

        assertThat(result.resumed()).isTrue();
        assertThat(result.identical()).isTrue();
        assertThat(loaded).hasValueLessThan(result.source().bytes() / 2 + 1);
      }
      try (Store store = Stadium.open(target)) {
        assertThat(sums(store)).isEqualTo(sums(source));
      }
    }
  }

  @Test
  void emptyTablesComeAlongIfTheyCanBeNamed() throws IOException {
    String dump =
        """
        VERSION=3
        format=bytevalue
        database=%s
        type=btree
        HEADER=END
        %sDATA=END
        """;
    String all =
        dump.formatted("full", " 6b\n 76\n")
            + dump.formatted("empty", "")
            + dump.formatted("no name", "");
    try (InputStream in = new ByteArrayInputStream(all.getBytes(StandardCharsets.UTF_8));
        Store store = Stadium.open("memory:")) {
      Import.run(Sources.of(in, Format.MDB_DUMP), store, ImportOptions.DEFAULT);

      assertThat(store.tables()).containsExactlyInAnyOrder("default", "empty", "full");
    }
  }

  private static void interruptInTheSecond(CopyProgress progress) {
    if (progress.table().equals("b") && progress.entries() > 4_000) {
      throw new IllegalStateException("enough");
    }
  }

  @Test
  void everyFormatBringsBackWhatWentIn() throws IOException {
    try (Store first = Stadium.open(url("lmdb", "a"))) {
      fill(first);
      for (Format format : Format.values()) {
        if (!format.isWritten()) {
          continue;
        }
        Path file = directory.resolve("file." + format.word());
        try (OutputStream out = Files.newOutputStream(file)) {
          Export.run(first, out, format, ExportOptions.DEFAULT);
        }
        try (InputStream in = Files.newInputStream(file);
            Store store = Stadium.open("memory:")) {
          Imported imported = Import.run(Sources.of(in, format), store, ImportOptions.DEFAULT);

          assertThat(imported.total().entries()).as(format.word()).isEqualTo(2_004);
          assertThat(sums(store)).as(format.word()).isEqualTo(sums(first));
        }
      }
    }
  }

  @Test
  void mdbLoadReadsWhatIsWrittenAndMdbDumpWritesTheSame() throws IOException, InterruptedException {
    Needs.program("mdb_load", "lmdb-utils");
    Path ours = directory.resolve("ours.mdb");
    Path theirs = directory.resolve("theirs.mdb");
    Path environment = Files.createDirectory(directory.resolve("environment"));
    try (Store store = Stadium.open("memory:");
        OutputStream out = Files.newOutputStream(ours)) {
      load(store.table("a"), 100, 500);
      load(store.table("b"), 100, 500);
      Export.run(store, out, Format.MDB_DUMP, tables("a", "b"));
    }

    run(null, "mdb_load", "-f", ours.toString(), environment.toString());
    run(theirs, "mdb_dump", "-a", environment.toString());

    assertThat(lines(theirs)).isEqualTo(lines(ours));
  }

  private static ExportOptions tables(String... names) {
    Map<String, String> tables = new TreeMap<>();
    List.of(names).forEach(name -> tables.put(name, name));
    return new ExportOptions(tables, Range.all(), false, "auto", _ -> {});
  }

  /** The lines without those about the environment. */
  private static List<String> lines(Path dump) throws IOException {
    return Files.readAllLines(dump).stream()
        .filter(line -> !line.matches("(mapsize|mapaddr|maxreaders|db_pagesize)=.*"))
        .toList();
  }

  private static void run(@Nullable Path output, String... command)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.redirectOutput(
        output == null
            ? ProcessBuilder.Redirect.DISCARD
            : ProcessBuilder.Redirect.to(output.toFile()));
    assertThat(builder.start().waitFor()).isZero();
  }

  @Test
  void anImportThatFailsLeavesItsMark() throws IOException {
    String target = url("sqlite", "to");
    try (Store store = Stadium.open(target);
        InputStream in =
            new java.io.ByteArrayInputStream(
                "{\"key\":\"a\",\"value\":\"1\"}\n{"
                    .getBytes(java.nio.charset.StandardCharsets.UTF_8))) {
      assertThatThrownBy(
              () -> Import.run(Sources.of(in, Format.JSON_LINES), store, ImportOptions.DEFAULT))
          .hasMessageStartingWith("line 2: not valid JSON")
          .hasMessageContaining("Imported up to there: 1 entry");
    }

    assertThatThrownBy(() -> Stadium.open(target))
        .hasMessageContaining("is not complete: an import");
  }

  @Test
  void aMergeThatFailsLeavesACompleteStoreComplete() throws IOException {
    try (Store source = Stadium.open(url("mvstore", "from"))) {
      load(source.table("a"), 3_000, 1_000);
      load(source.table("b"), 3_000, 1_000);
      for (String engine : List.of("lmdb", "rocksdb", "sqlite", "mvstore")) {
        String target = url(engine, "to-" + engine);
        CopyOptions merge = CopyOptions.DEFAULT.existing(CopyOptions.Existing.MERGE);
        ImportOptions adding = ImportOptions.DEFAULT.existing(CopyOptions.Existing.MERGE);
        for (boolean empty : List.of(true, false)) { // a store without entries may be in use, too
          try (Store store = Stadium.open(target);
              InputStream in = lines("{\"key\":\"b\",\"value\":\"1\"}\n{")) {
            if (!empty) {
              store.table().put(key(1), key(1));
            }
            assertThatThrownBy(() -> Import.run(Sources.of(in, Format.JSON_LINES), store, adding))
                .hasMessageContaining("line 2");
            assertThatThrownBy(
                    () -> Copy.run(source, store, merge.progress(CircleTest::interruptInTheSecond)))
                .hasMessage("enough");
          }
          try (Store store = Stadium.open(target)) {
            assertThat(store.table().get(key(1)) == null).as(target).isEqualTo(empty);
          }
        }
        try (Store store = Stadium.open(target)) {
          assertThat(Copy.run(source, store, merge).identical()).isTrue();
        }
      }
    }
  }

  @Test
  void whatFailsBeforeAnythingIsThereLeavesNoMark() throws IOException {
    String target = url("sqlite", "to");
    try (Store store = Stadium.open(target);
        Store source = Stadium.open(url("mvstore", "from"));
        InputStream in = lines("{\"key\":\"a\"")) {
      load(source.table(), 10_000, 10);
      assertThatThrownBy(
              () -> Import.run(Sources.of(in, Format.JSON_LINES), store, ImportOptions.DEFAULT))
          .hasMessageContaining("Imported up to there: 0 entries");
      assertThatThrownBy(() ->
              Copy.run(
                  source,
                  store,
                  CopyOptions.DEFAULT.progress(_ -> {
                    throw new IllegalStateException("enough");
                  })))
          .hasMessage("enough");
    }

    Stadium.open(target).close();
  }

  @Test
  void aTableThatIsNotThereIsNoSuccess() throws IOException {
    ImportOptions typo = ImportOptions.DEFAULT.tables(Map.of("usres", "usres"));
    try (Store first = Stadium.open(url("lmdb", "a"));
        Store store = Stadium.open("memory:")) {
      fill(first);
      for (Format format : Format.values()) {
        if (format.isWritten()) {
          Path file = directory.resolve("file." + format.word());
          try (OutputStream out = Files.newOutputStream(file)) {
            Export.run(first, out, format, ExportOptions.DEFAULT);
          }
          for (boolean check : List.of(true, false)) {
            try (InputStream in = Files.newInputStream(file)) {
              assertThatThrownBy(
                      () -> {
                        if (check) {
                          Import.check(Sources.of(in, format), store, typo);
                        } else {
                          Import.run(Sources.of(in, format), store, typo);
                        }
                      })
                  .as(format.word())
                  .isInstanceOf(BadArgumentException.class)
                  .hasMessageContaining("'usres'")
                  .hasMessageContaining("users");
            }
          }
        }
      }
    }
  }

  private static InputStream lines(String text) {
    return new java.io.ByteArrayInputStream(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  /** Mixed sizes in three tables, empty values and large ones among them. */
  private static void fill(Store store) {
    load(store.table(), 1_000, 200);
    load(store.table("users"), 1_000, 2_000);
    load(store.table("large"), 4, 400_000);
  }

  private static void load(Table<byte[], byte[]> table, int entries, int longest) {
    Random random = new Random(entries + longest);
    List<Entry<byte[], byte[]>> all = new ArrayList<>();
    for (int i = 0; i < entries; i++) {
      byte[] value = new byte[i == 0 ? 0 : random.nextInt(longest)];
      random.nextBytes(value);
      all.add(new Entry<>(key(i), value));
    }
    table.bulkLoad(all.iterator(), true);
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(8 + number % 50).putLong((long) number << 20).array();
  }

  private static Map<String, ContentSum> sums(Store store) {
    Map<String, ContentSum> sums = new TreeMap<>();
    store.tables().forEach(name -> sums.put(name, ReadAhead.sum(store.table(name))));
    sums.values().removeIf(sum -> sum.entries() == 0); // a default table that nobody used
    return sums;
  }
}
