package io.kvstadium.bench.measure.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.measure.Meter;
import io.kvstadium.bench.measure.Replayer;
import io.kvstadium.bench.measure.source.TraceParts.Part;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Recording;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TracePartsTest {
  @TempDir Path directory;
  private Path file;
  private final TreeMap<String, Integer> expected = new TreeMap<>();

  private static byte[] key(int number) {
    return "key%03d".formatted(number).getBytes(StandardCharsets.UTF_8);
  }

  /** An application on 200 keys, half of which are there before. */
  @BeforeEach
  void record() {
    file = directory.resolve("app.trace");
    SplittableRandom random = new SplittableRandom(7);
    try (Store store = Stadium.open("memory:")) {
      Table<byte[], byte[]> table = store.table("a");
      for (int i = 0; i < 200; i += 2) {
        table.put(key(i), new byte[i]);
      }
      try (Recording _ = Recording.start(store, Recording.Options.of(file))) {
        for (int i = 0; i < 200; i++) {
          table.get(key(i));
        }
        for (int i = 0; i < 3_000; i++) {
          byte[] key = key(random.nextInt(200));
          byte[] value = new byte[random.nextInt(50)];
          switch (random.nextInt(8)) {
            case 0, 1 -> table.put(key, value);
            case 2 -> table.delete(key);
            case 3 -> table.putIfAbsent(key, value);
            case 4 -> {
              int from = random.nextInt(195);
              table.delete(Range.between(key(from), key(from + 5)));
            }
            case 5 ->
                store.transact(transaction -> {
                  transaction.on(table).put(key, value);
                  if (value.length % 2 == 0) {
                    transaction.rollback();
                  }
                  return 0;
                });
            default -> table.get(key);
          }
        }
      }
      expected.putAll(entries(store));
    }
  }

  private static Map<String, Integer> entries(Store store) {
    Map<String, Integer> entries = new TreeMap<>();
    for (String table : store.tables()) {
      try (Cursor<byte[], byte[]> cursor = store.table(table).scan()) {
        while (cursor.next()) {
          entries.put(new String(cursor.key(), StandardCharsets.UTF_8), cursor.value().length);
        }
      }
    }
    return entries;
  }

  private Map<String, Integer> replayed(Part part) {
    Path piece = directory.resolve("part.trace");
    new TraceParts(file).write(part, piece);
    ReplayTrace trace = ReplayTrace.read(piece);
    try (Store store = Stadium.open("memory:")) {
      Replayer replayer = new Replayer(trace, store);
      replayer.prepare(Long.MAX_VALUE, _ -> {});
      List<Meter> meters = replayer.meters(0);
      Replayer.Outcomes outcomes = replayer.run(0, Long.MAX_VALUE / 4, _ -> {}, meters, _ -> {});
      assertThat(meters).allSatisfy(each -> assertThat(each.checks().firstWrong).isNull());
      assertThat(outcomes.divergence().share()).as(outcomes.divergence().toString()).isZero();
      return entries(store);
    }
  }

  @Test
  void aLaterPartBeginsWithWhatWasThereAndEndsAsTheApplicationDid() {
    long all = new TraceParts(file).operations();

    for (long from : new long[] {0, all / 3, all - 50}) {
      assertThat(replayed(new Part(from, all, 1, 0))).isEqualTo(expected);
    }
    assertThat(replayed(new Part(all / 3, all, 1, 0.5)))
        .as("without half of the reads")
        .isEqualTo(expected);
  }

  @Test
  void aSampleHasSomeKeysWithAllTheirOperations() {
    TraceParts parts = new TraceParts(file);
    long all = parts.operations();

    Map<String, Integer> sampled = replayed(new Part(all / 3, all, 4, 0));

    assertThat(sampled.size()).isBetween(1, expected.size() / 2);
    assertThat(expected).containsAllEntriesOf(sampled);
    assertThat(parts.keys()).isEqualTo(200);
  }
}
