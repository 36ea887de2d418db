package io.kvstadium.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.measure.source.ReplayTrace;
import io.kvstadium.bench.plan.ReplaySuite;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Recording;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import io.kvstadium.store.Table;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.Outcome;
import io.kvstadium.trace.TraceWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTest {
  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("app.trace");
  }

  private static byte[] key(int number) {
    return "key%03d".formatted(number).getBytes(StandardCharsets.UTF_8);
  }

  private static Map<String, Integer> entries(Store store) {
    Map<String, Integer> entries = new TreeMap<>();
    for (String table : store.tables()) {
      try (Cursor<byte[], byte[]> cursor = store.table(table).scan()) {
        while (cursor.next()) {
          entries.put(
              table + " " + new String(cursor.key(), StandardCharsets.UTF_8),
              cursor.value().length);
        }
      }
    }
    return entries;
  }

  private Replayer.Outcomes replay(Store store) {
    Replayer replayer = new Replayer(ReplayTrace.read(file), store);
    replayer.prepare(Long.MAX_VALUE, _ -> {});
    List<Meter> meters = replayer.meters(0);
    Replayer.Outcomes outcomes = replayer.run(0, Long.MAX_VALUE / 4, _ -> {}, meters, _ -> {});
    assertThat(meters).allSatisfy(each -> assertThat(each.checks().firstWrong).isNull());
    assertThat(meters.stream().filter(each -> each.operations() > 0))
        .as("making and checking calls is not the store's processor time")
        .allSatisfy(each -> assertThat(each.harnessNanos()).isPositive());
    return outcomes;
  }

  /** One step of an application; which keys others use meanwhile is its caller's affair. */
  private static void step(Store store, int own, SplittableRandom random) {
    Table<byte[], byte[]> a = store.table("a");
    Table<byte[], byte[]> b = store.table("b");
    byte[] key = key(own);
    byte[] value = new byte[random.nextInt(60)];
    switch (random.nextInt(10)) {
      case 0, 1 -> a.put(key, value);
      case 2 -> a.delete(key);
      case 3 -> a.putIfAbsent(key, value);
      case 4 -> a.compute(key, before -> before == null ? value : null);
      case 5 ->
          store.write(batch -> {
            batch.put(a, key, value);
            batch.delete(b, key);
          });
      case 6 ->
          store.transact(tx -> {
            tx.on(b).put(key, value);
            if (value.length % 3 == 0) {
              tx.rollback();
            }
            return tx.on(a).get(key);
          });
      case 7 -> a.multiGet(List.of(key, key));
      case 8 -> b.contains(key);
      default -> a.get(key);
    }
  }

  /** Each key is used by one thread at a time, so that the order of its calls is known. */
  @Test
  void threadsAndKeysHaveTheirOrderAndTheStoreEndsAsItDid() throws Exception {
    int keys = 40;
    Object[] locks = IntStream.range(0, keys).mapToObj(_ -> new Object()).toArray();
    Map<String, Integer> expected;
    try (Store store = Stadium.open("memory:")) {
      Table<byte[], byte[]> a = store.table("a");
      store.table("b");
      for (int i = 0; i < keys; i++) {
        a.put(key(i), new byte[i]);
      }
      try (Recording _ = Recording.start(store, Recording.Options.of(file))) {
        for (int i = 0; i < keys; i++) {
          a.get(key(i));
        }
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 6; t++) {
          SplittableRandom random = new SplittableRandom(t);
          threads.add(
              Thread.ofPlatform()
                  .start(() -> {
                    for (int i = 0; i < 2_000; i++) {
                      int own = random.nextInt(keys);
                      synchronized (locks[own]) {
                        step(store, own, random);
                      }
                    }
                  }));
        }
        for (Thread thread : threads) {
          thread.join();
        }
        a.delete(Range.between(key(3), key(9)));
        try (Cursor<byte[], byte[]> cursor = a.scan(Range.<byte[]>all().reverse())) {
          cursor.next();
          cursor.next();
        }
      }
      expected = entries(store);
    }

    for (int round = 0; round < 3; round++) {
      try (Store store = Stadium.open("memory:")) {
        Replayer.Outcomes outcomes = replay(store);

        assertThat(outcomes.divergence().share()).as(outcomes.divergence().toString()).isZero();
        assertThat(entries(store)).isEqualTo(expected);
      }
    }
    assertThat(ReplayTrace.read(file).needs())
        .contains(Capability.TRANSACTION, Capability.BATCH, Capability.TABLES);
  }

  /** It has no key by which it could follow a write: a thread that only scans runs ahead of all. */
  @Test
  void aScanFollowsWhatOtherThreadsHadWrittenBeforeItBegan() throws IOException {
    List<Operation> operations = new ArrayList<>();
    for (int i = 1; i <= 200; i++) {
      operations.add(Operation.of(Kind.PUT, Outcome.OK, 0, "t", key(i), 100L * i, 20, 9));
      operations.add(scan(1, 100L * i + 50, i));
    }
    write(operations.toArray(Operation[]::new));

    try (Store store = Stadium.open("memory:")) {
      assertThat(replay(store).divergence().differing()).isEmpty();
    }
  }

  @Test
  void aCallThatFollowsOneThatHadNoTimeIsLeftOutToo() throws IOException {
    write(
        Operation.of(Kind.PUT, Outcome.OK, 0, "t", key(1), 1_000, 20, 9),
        Operation.of(Kind.PUT, Outcome.OK, 0, "t", key(2), 2_000, 20, 9),
        Operation.of(Kind.GET, Outcome.OK, 1, "t", key(2), 3_000, 20, 9));
    long most = 50_000_000;

    try (Store store = Stadium.open("memory:")) {
      Replayer replayer = new Replayer(ReplayTrace.read(file), store);
      Replayer.Outcomes outcomes =
          replayer.run(
              1,
              most,
              moment -> {
                while (System.nanoTime() - moment < 2 * most) {
                  Thread.onSpinWait(); // the first put takes all the time
                }
              },
              replayer.meters(0),
              _ -> {});
      assertThat(outcomes.divergence().differing()).isEmpty();
    }
  }

  @Test
  void aScanMayOrMayNotSeeWhatOtherThreadsWroteMeanwhile() throws IOException {
    write(
        scan(0, 900, 1),
        Operation.of(Kind.PUT, Outcome.OK, 1, "t", key(1), 5_000, 4_200, 9)); // from 800 on
    AtomicBoolean scanned = new AtomicBoolean();
    try (Store store = Stadium.open("memory:")) {
      Replayer replayer = new Replayer(ReplayTrace.read(file), store);
      Replayer.Outcomes outcomes =
          replayer.run(
              1,
              Long.MAX_VALUE / 4,
              _ -> {
                while (Thread.currentThread().getName().equals("replay 1") && !scanned.get()) {
                  Thread.onSpinWait(); // the put comes second
                }
              },
              replayer.meters(0),
              _ -> scanned.set(true));
      assertThat(outcomes.divergence().differing()).isEmpty();
    }
    write(scan(1, 900, 1), scan(1, 950, 0));
    try (Store store = Stadium.open("memory:")) {
      assertThat(replay(store).divergence().differing()).hasSize(1);
    }
  }

  private static Operation scan(int thread, long time, long count) {
    return new Operation(
        Kind.SCAN, Outcome.OK, thread, "t", null, null, time, 20, -1, count, -1, -1, 0);
  }

  private void write(Operation... operations) throws IOException {
    try (TraceWriter writer = TraceWriter.begin(Files.newOutputStream(file), Map.of(), null)) {
      for (Operation each : operations) {
        writer.append(each);
      }
    }
  }

  private static Operation one(Kind kind, Outcome outcome, long micros, long length) {
    return Operation.of(kind, outcome, 0, "t", key(1), micros * 1000, 0, length);
  }

  @Test
  void anotherResultThanTheRecordedOneIsCounted() throws IOException {
    write(
        one(Kind.GET, Outcome.OK, 1, 10),
        one(Kind.DELETE, Outcome.OK, 2, -1),
        one(Kind.GET, Outcome.OK, 3, 10),
        one(Kind.GET, Outcome.MISS, 4, -1),
        one(Kind.PUT, Outcome.FAILED, 5, 9));

    try (Store store = Stadium.open("memory:")) {
      assertThat(replay(store).divergence().share()).isEqualTo(1 / 3.0);
      assertThat(store.table().contains(key(1))).isFalse();
    }
    assertThat(ReplayTrace.read(file).skipped()).containsOnlyKeys(Kind.PUT);
  }

  private static OpenOptions noting(List<String> calls) {
    return OpenOptions.DEFAULT.listener(
        new StoreListener() {
          @Override
          public void called(Call call, String table, long nanoseconds, long bytes) {
            calls.add(call + " " + bytes);
          }
        });
  }

  /** Or engines whose conditional writes are dear would look dearer than they are. */
  @Test
  void aConditionalWriteIsTheSameCallsOfTheEngineAsItWas() {
    List<String> application = new ArrayList<>();
    List<String> replayed = new ArrayList<>();
    try (Store store = Stadium.open("memory:", noting(application).record(file))) {
      Table<byte[], byte[]> table = store.table();
      table.putIfAbsent(key(1), new byte[9]);
      table.putIfAbsent(key(1), new byte[9]);
      table.replace(key(1), new byte[9], new byte[8]);
      table.compute(key(1), _ -> new byte[7]);
      table.compute(key(1), _ -> null);
      table.compute(key(1), _ -> null);
      table.increment(key(1), 1);
    }
    try (Store store = Stadium.open("memory:", noting(replayed))) {
      replay(store);
    }

    assertThat(replayed).isEqualTo(application).hasSizeGreaterThan(12);
  }

  @Test
  void callsAreDueAsFarApartAsRecordedDividedByTheFactor() throws IOException {
    write(
        one(Kind.PUT, Outcome.OK, 0, 10),
        one(Kind.PUT, Outcome.OK, 8_000, 10),
        one(Kind.PUT, Outcome.OK, 16_000, 10));
    ConcurrentLinkedQueue<Long> moments = new ConcurrentLinkedQueue<>();

    try (Store store = Stadium.open("memory:")) {
      Replayer replayer = new Replayer(ReplayTrace.read(file), store);
      replayer.run(4, Long.MAX_VALUE / 4, moments::add, replayer.meters(0), _ -> {});
    }

    List<Long> all = List.copyOf(moments);
    assertThat(all.get(1) - all.get(0)).isEqualTo(2_000_000);
    assertThat(all.get(2) - all.get(0)).isEqualTo(4_000_000);
  }

  /** Or a slow replay would show long response times that nobody had. */
  @Test
  void aCallIsNotDueBeforeTheCallsThatItFollowsHaveEnded() throws IOException {
    write(
        Operation.of(Kind.PUT, Outcome.OK, 0, "t", key(1), 6_000_000, 1_000_000, 10),
        Operation.of(Kind.GET, Outcome.OK, 1, "t", key(1), 8_000_000, 8_000_000, 10));
    ConcurrentLinkedQueue<Long> moments = new ConcurrentLinkedQueue<>();

    try (Store store = Stadium.open("memory:")) {
      Replayer replayer = new Replayer(ReplayTrace.read(file), store);
      replayer.run(1, Long.MAX_VALUE / 4, moments::add, replayer.meters(0), _ -> {});
    }

    List<Long> all = moments.stream().sorted().toList();
    assertThat(all.get(1) - all.get(0)).isEqualTo(1_000_000);
  }

  @Test
  void whatCannotBeReplayedIsRefused() throws IOException {
    assertThatThrownBy(() -> ReplayTrace.read(directory.resolve("none")))
        .isInstanceOf(BadArgumentException.class);
    Files.writeString(file, "no trace");
    assertThatThrownBy(() -> ReplayTrace.read(file)).isInstanceOf(BadArgumentException.class);
    Files.delete(file);
    write();
    assertThatThrownBy(() -> ReplayTrace.read(file)).isInstanceOf(BadArgumentException.class);
    write(one(Kind.PUT, Outcome.OK, 0, 10));
    for (String speed : List.of("", "0x", "fast", "search", "-1")) {
      assertThatThrownBy(() -> ReplaySuite.of(file, speed, null))
          .as(speed)
          .isInstanceOf(BadArgumentException.class);
    }
  }
}
