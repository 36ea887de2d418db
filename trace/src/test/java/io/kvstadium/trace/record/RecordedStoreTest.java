package io.kvstadium.trace.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.ExpiringTable;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Recording;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.codec.Codec;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.TraceReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the library reports of an application, as it stands in the file. */
class RecordedStoreTest {
  private static final byte[] VALUE = new byte[7];

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("app.trace");
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The operations: kind, outcome, table, key, length, count. */
  private List<String> recorded() throws IOException {
    List<String> lines = new ArrayList<>();
    try (TraceReader reader = new TraceReader(Files.newInputStream(file))) {
      for (Operation each = reader.next(); each != null; each = reader.next()) {
        if (each.kind() == Kind.COMPRESSED) {
          continue; // of values chosen by chance
        }
        String range = each.kind().isRange() ? ".." + text(each.to()) + " f" + each.flags() : "";
        String text =
            "%s %s %s %s%s %d %d"
                .formatted(
                    each.kind(),
                    each.outcome(),
                    each.table(),
                    text(each.key()),
                    range,
                    each.length(),
                    each.count());
        lines.add(
            text.replace(" OK ", " ").replaceAll("(?: -1)+$", "").replaceAll(" +", " ").strip());
      }
      assertThat(reader.isComplete()).isTrue();
      assertThat(reader.lost()).isZero();
    }
    return lines;
  }

  private static String text(byte @Nullable [] key) {
    return key == null ? "" : new String(key, StandardCharsets.UTF_8);
  }

  @Test
  void someValuesTellHowFarTheyCanBeCompressed() throws IOException {
    try (Store store = Stadium.open("memory:?record=" + file)) {
      for (int i = 0; i < 10_000; i++) {
        store.table().put(key("a"), new byte[100_000]);
      }
    }
    boolean found = false;
    try (TraceReader reader = new TraceReader(Files.newInputStream(file))) {
      for (Operation each = reader.next(); each != null; each = reader.next()) {
        if (each.kind() == Kind.COMPRESSED) {
          assertThat(each.length()).isEqualTo(16 << 10);
          assertThat(each.count()).isBetween(1L, 1_000L);
          found = true;
        }
      }
    }
    assertThat(found).isTrue();
  }

  @Test
  void theHeaderSaysWhatWasRecorded() throws IOException {
    Stadium.open("memory:?record_sample=1/2&record=" + file).close();

    try (TraceReader reader = new TraceReader(Files.newInputStream(file))) {
      assertThat(reader.header())
          .containsEntry("engine", "memory")
          .containsEntry("sample", "1/2")
          .containsKeys("engine_version", "durability", "disk_bytes");
    }
  }

  @Test
  void eachCallIsOneOperationWhateverItsParts() throws IOException {
    try (Store store = Stadium.open("memory:", OpenOptions.DEFAULT.record(file))) {
      Table<byte[], byte[]> t = store.table("t");
      t.put(key("a"), VALUE);
      t.get(key("a"));
      t.get(key("a"), segment -> segment.byteSize());
      t.get(key("no"));
      t.get(key("no"), segment -> segment.byteSize());
      t.contains(key("a"));
      t.contains(key("no"));
      t.delete(key("no"));
      t.multiGet(List.of(key("a"), key("no")));
      t.putIfAbsent(key("a"), VALUE);
      t.putIfAbsent(key("b"), VALUE);
      t.replace(key("b"), VALUE, new byte[2]);
      t.compute(key("b"), _ -> null);
      t.increment(key("n"), 1);
      store.write(batch -> {
        batch.put(t, key("c"), VALUE);
        batch.delete(t, key("d"));
        batch.delete(t, Range.between(key("x"), key("z")));
      });
      store.transact(tx -> {
        tx.on(t).put(key("e"), VALUE);
        tx.on(t).delete(Range.between(key("x"), key("z")));
        return tx.on(t).get(key("e"));
      });
      store.transact(tx -> {
        tx.rollback();
        return 0;
      });
      t.delete(Range.between(key("c"), key("d")));
      t.bulkLoad(List.of(new Entry<>(key("y"), VALUE)).iterator(), true);
      store.sync();
      t.clear();
    }

    assertThat(recorded())
        .containsExactly(
            "PUT t a 7",
            "GET t a 7",
            "GET t a 7",
            "GET MISS t no",
            "GET MISS t no",
            "CONTAINS t a",
            "CONTAINS MISS t no",
            "DELETE t no",
            "BATCH",
            "GET t a 7",
            "GET MISS t no",
            "BATCH_END",
            "PUT_IF MISS t a",
            "PUT_IF t b 7",
            "PUT_IF t b 2",
            "GET t b 2",
            "DELETE_IF t b",
            "PUT_IF t n 8",
            "BATCH",
            "PUT t c 7",
            "DELETE t d",
            "DELETE_RANGE t x..z f8",
            "BATCH_END",
            "BEGIN",
            "PUT t e 7",
            "DELETE_RANGE t x..z f8 -1 0",
            "GET t e 7",
            "COMMIT",
            "BEGIN",
            "ROLLBACK",
            "DELETE_RANGE t c..d f8 -1 1",
            "BATCH",
            "PUT t y 7",
            "BATCH_END",
            "SYNC",
            "CLEAR t");
  }

  @Test
  void aScanIsWhatWasReallyRead() throws IOException {
    try (Store store = Stadium.open("memory:")) {
      Table<byte[], byte[]> t = store.table("t");
      for (String each : List.of("a", "b", "c", "d", "e")) {
        t.put(key(each), VALUE);
      }
      try (Recording _ = Recording.start(store, Recording.Options.of(file))) {
        try (Cursor<byte[], byte[]> cursor = t.scan(Range.atLeast(key("b")))) {
          cursor.next();
          cursor.value();
          cursor.next();
        }
        try (Cursor<byte[], byte[]> cursor = t.scan(Range.<byte[]>all().reverse().limit(9))) {
          cursor.next();
          cursor.next();
          cursor.seek(key("b"));
          cursor.next();
          cursor.next();
        }
        t.count(Range.lessThan(key("c")));
      }
      t.get(key("a"));
    }

    assertThat(recorded())
        .containsExactly(
            "SCAN t b.. f0 7 2", "SCAN t .. f1 0 2", "SCAN t ..b f5 0 2", "SCAN t ..c f8 0 2");
  }

  @Test
  void whatExpiresSaysWhen() throws IOException {
    try (Store store = Stadium.open("memory:?record=" + file)) {
      ExpiringTable<byte[], byte[]> sessions =
          ExpiringTable.of(store, "s", Codec.BYTES, Codec.BYTES, Duration.ofMinutes(1));
      sessions.put(key("a"), VALUE);
    }

    try (TraceReader reader = new TraceReader(Files.newInputStream(file))) {
      Operation put = reader.next();
      while (put != null && put.kind() != Kind.PUT_EXPIRING) {
        put = reader.next();
      }
      assertThat(put).isNotNull();
      assertThat(put.ttl()).isBetween(50_000L, 60_000L);
      assertThat(put.length()).isEqualTo(15);
    }
  }

  /** As the environment asks for, which is one variable for all stores of a process. */
  @Test
  void eachStoreHasAFileOfItsOwn() throws IOException {
    OpenOptions each = OpenOptions.DEFAULT.record(Recording.Options.of(file).forEachStore());
    List<String> names = new ArrayList<>();
    try (Store first = Stadium.open("memory:", each);
        Store second = Stadium.open("memory:", each);
        Store third = Stadium.open("memory:", each)) {
      for (Store store : List.of(first, second, third)) {
        names.add(Objects.requireNonNull(Recording.of(store)).file().getFileName().toString());
        store.table("t").put(new byte[] {1}, new byte[names.size()]);
      }
    }
    try (Store again = Stadium.open("memory:", each)) {
      names.add(Objects.requireNonNull(Recording.of(again)).file().getFileName().toString());
    }

    String name = file.getFileName().toString();
    assertThat(names)
        .containsExactly(
            name, name.replace(".trace", "-2.trace"), name.replace(".trace", "-3.trace"), name);
    for (String each3 : names.subList(0, 3)) {
      assertThat(directory.resolve(each3)).isNotEmptyFile();
    }
  }

  @Test
  void anotherRecordingIsRefusedAndNothingIsMade() throws IOException {
    Path stored = directory.resolve("no");
    try (Store store = Stadium.open("memory:?record=" + file)) {
      assertThatThrownBy(() -> Stadium.open("memory:?record=" + file))
          .isInstanceOf(BadArgumentException.class);
      assertThatThrownBy(
              () -> Recording.start(store, Recording.Options.of(directory.resolve("b.trace"))))
          .isInstanceOf(BadArgumentException.class);
    }
    for (String bad :
        List.of(
            "record=",
            "record=" + stored.resolve("x"),
            "record=" + file + "&record_sample=2/3",
            "record=" + file + "&record_keys=secret",
            "record=" + file + "&record_keys=tokens",
            "record_sample=1/2")) {
      assertThatThrownBy(() -> Stadium.open("memory:?" + bad))
          .as(bad)
          .isInstanceOf(BadArgumentException.class);
    }
    assertThat(directory.resolve("b.trace")).doesNotExist();
  }
}
