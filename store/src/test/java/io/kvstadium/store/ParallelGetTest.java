package io.kvstadium.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.EngineReader;
import io.kvstadium.store.spi.EngineTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ParallelGetTest {
  private final Store store = FakeEngine.openStore();
  private final ReadPool pool = new ReadPool("test:");

  @AfterEach
  void close() {
    pool.close();
    store.close();
  }

  /** What a reader does with a portion. */
  @FunctionalInterface
  private interface Portion {
    byte[] @Nullable [] of(byte[][] keys);
  }

  private byte[] @Nullable [] get(int keys, int readers, Portion portion) {
    return get(pool, store, keys, readers, portion);
  }

  private static byte[] @Nullable [] get(
      ReadPool pool, Store store, int keys, int readers, Portion portion) {
    byte[][] array = IntStream.range(0, keys).mapToObj(ParallelGetTest::key).toArray(byte[][]::new);
    TableView<?> view = (TableView<?>) store.table();
    return run(view.handle(), pool, array, readers, portion);
  }

  private static <T extends EngineTable> byte[] @Nullable [] run(
      TableHandle<T> handle, ReadPool pool, byte[][] keys, int readers, Portion portion) {
    EngineReader<T> reader =
        new EngineReader<>() {
          @Override
          public byte @Nullable [] get(T table, byte[] key) {
            throw new AssertionError("portions are read as such");
          }

          @Override
          public byte[] @Nullable [] getAll(T table, byte[][] wanted) {
            return portion.of(wanted);
          }

          @Override
          public EngineCursor cursor(T table, Range range) {
            throw new AssertionError("nothing is scanned");
          }
        };
    return new ParallelGet<>(
            handle,
            new StoreAccess("test:", new Failures("fake", "", null, _ -> null)),
            reader,
            pool,
            keys,
            readers)
        .run();
  }

  private static byte[] key(int number) {
    return String.valueOf(number).getBytes(StandardCharsets.US_ASCII);
  }

  @Property(tries = 200)
  void eachKeyIsReadOnceAndKeepsItsPlace(
      @ForAll @IntRange(min = 1, max = 3_000) int keys,
      @ForAll @IntRange(min = 2, max = 9) int readers) {
    ReadPool own = new ReadPool("test:");
    AtomicInteger read = new AtomicInteger();

    byte[] @Nullable [] values =
        get(
            own,
            FakeEngine.openStore(),
            keys,
            readers,
            wanted -> {
              read.addAndGet(wanted.length);
              return wanted.clone();
            });
    own.close();

    assertThat(read).hasValue(keys);
    assertThat(values)
        .isDeepEqualTo(
            IntStream.range(0, keys).mapToObj(ParallelGetTest::key).toArray(byte[][]::new));
  }

  @Test
  void asManyReadersWorkAtOnceAsWereAskedFor() {
    CountDownLatch together = new CountDownLatch(8);

    get(
        10_000,
        8,
        wanted -> {
          together.countDown();
          await(together); // fails unless eight are inside
          return wanted;
        });

    assertThat(together.getCount()).isZero();
  }

  @Test
  void noMoreThreadsReadThanThePoolHas() {
    Set<Thread> readers = ConcurrentHashMap.newKeySet();
    CountDownLatch together = new CountDownLatch(ReadPool.MOST + 1); // the caller too

    get(
        100_000,
        1_000,
        wanted -> {
          readers.add(Thread.currentThread());
          together.countDown();
          await(together);
          return wanted;
        });

    assertThat(readers).hasSize(ReadPool.MOST + 1);
  }

  @Test
  void slowPortionsDoNotDelayTheOthers() {
    AtomicInteger left = new AtomicInteger(10_000);
    CountDownLatch others = new CountDownLatch(1);

    get(
        10_000,
        2,
        wanted -> {
          boolean first = Arrays.equals(wanted[0], key(0));
          if (left.addAndGet(-wanted.length) == 0) {
            others.countDown();
          }
          if (first) {
            await(others); // the first portion lasts until all others are read
          }
          return wanted;
        });

    assertThat(left).hasValue(0);
  }

  @Test
  void theFirstFailureIsTheCallersAndTheRestIsNotRead() {
    CountDownLatch both = new CountDownLatch(2);
    AtomicInteger portions = new AtomicInteger();

    assertThatThrownBy(() ->
            get(
                100_000,
                2,
                _ -> {
                  both.countDown();
                  await(both);
                  throw new CorruptException("portion " + portions.incrementAndGet());
                }))
        .isInstanceOf(CorruptException.class)
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1))
        .satisfies(e -> assertThat(e.getSuppressed()[0]).isInstanceOf(CorruptException.class));
    assertThat(portions).hasValue(2);
  }

  @Test
  void errorsReachTheCallerToo() {
    StackOverflowError error = new StackOverflowError("the same one, by several readers");

    assertThatThrownBy(() ->
            get(
                10_000,
                8,
                _ -> {
                  throw error;
                }))
        .isSameAs(error);
  }

  @Test
  void anInterruptIsKeptAndEndsNothing() throws Exception {
    CompletableFuture<Boolean> reading = new CompletableFuture<>();
    CountDownLatch interrupted = new CountDownLatch(1);
    List<Boolean> kept = new ArrayList<>();
    FutureTask<Void> task =
        new FutureTask<>(() -> {
          Thread caller = Thread.currentThread();
          byte[] @Nullable [] values =
              get(
                  10_000,
                  2,
                  wanted -> {
                    if (Thread.currentThread().equals(caller)) {
                      reading.join(); // or the caller would read everything alone
                    } else {
                      reading.complete(true);
                      await(interrupted); // the caller has read all else, and waits
                    }
                    return wanted;
                  });
          kept.add(Thread.currentThread().isInterrupted());
          kept.add(values[9_999] != null);
          return null;
        });
    Thread caller = Thread.ofPlatform().daemon().start(task);

    assertThat(reading.get(30, TimeUnit.SECONDS)).isTrue();
    caller.interrupt();
    interrupted.countDown();
    task.get(30, TimeUnit.SECONDS);

    assertThat(kept).containsExactly(true, true);
  }

  @Test
  void fewKeysAreNotWorthAReader() {
    assertThat(ParallelGet.readers(2 * ParallelGet.KEYS_PER_READER - 1, 32)).isLessThan(2);
    assertThat(ParallelGet.readers(2 * ParallelGet.KEYS_PER_READER, 32)).isEqualTo(2);
    assertThat(ParallelGet.readers(1_000_000, 32)).isEqualTo(32);
    assertThat(ParallelGet.readers(1_000_000, 1)).isEqualTo(1);
    assertThat(ParallelGet.readers(Integer.MAX_VALUE, Integer.MAX_VALUE)).isEqualTo(ReadPool.MOST);
  }

  @Test
  void aClosedPoolStartsNothing() {
    assertThat(pool.start(() -> {})).isTrue();
    pool.close();

    assertThat(pool.start(() -> {})).isFalse();
    ReadPool unused = new ReadPool("test:");
    unused.close();
    assertThat(unused.start(() -> {})).isFalse();
  }

  @Test
  void typedTablesReadTheSameWay() {
    TypedTable<Long, String> names = store.table("names", Codec.LONG, Codec.STRING);
    List<Long> keys = new ArrayList<>();
    for (long i = 0; i < 100; i++) {
      names.put(i, "n" + i);
      keys.add(i * 2);
    }

    assertThat(names.getAll(keys, 4))
        .isEqualTo(names.getAll(keys))
        .contains("n98")
        .contains((String) null);
    assertThatThrownBy(() -> names.getAll(keys, 0))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("table names");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).as("others came").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
