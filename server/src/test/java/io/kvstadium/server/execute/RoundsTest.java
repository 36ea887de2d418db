package io.kvstadium.server.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.ClosedException;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoundsTest {
  @TempDir private Path directory;

  /** Reads a key. */
  private static final class Reading implements Work {
    private final Store store;
    private final byte[] key;
    private final CompletableFuture<Boolean> found = new CompletableFuture<>();

    Reading(Store store, int length) {
      this.store = store;
      this.key = new byte[length];
    }

    @Override
    public void announce(Round round) {
      round.on(store.table()).announce(key);
    }

    @Override
    public void execute(Round round) {
      found.complete(round.on(store.table()).get(key) != null);
    }

    @Override
    public void done() {}

    @Override
    public void failed(RuntimeException cause) {
      found.completeExceptionally(cause);
    }
  }

  @Test
  void aKeyThatTheEngineCannotHoldIsNotThereAndHarmsNobody()
      throws ExecutionException, InterruptedException {
    try (Store store = Stadium.open("lmdb:" + directory.resolve("store"));
        Rounds rounds = new Rounds(store, 1, InstantSource.system())) {
      store.table().put(new byte[10], new byte[0]);
      List<Reading> works =
          List.of(
              new Reading(store, 10),
              new Reading(store, 5_000),
              new Reading(store, 0),
              new Reading(store, 10));

      rounds.read(works);

      assertThat(works.get(0).found.get()).isTrue();
      assertThat(works.get(1).found.get()).isFalse();
      assertThat(works.get(2).found.get()).isFalse();
      assertThat(works.get(3).found.get()).isTrue();
    }
  }

  @Test
  void whatComesAfterTheEndFails() {
    try (Store store = Stadium.open("memory:")) {
      Rounds rounds = new Rounds(store, 3, InstantSource.system());
      rounds.close();
      Reading late = new Reading(store, 1);

      rounds.read(late);

      assertThat(late.found).isCompletedExceptionally();
      assertThat(late.found.exceptionNow()).isInstanceOf(ClosedException.class);
    }
  }

  /** Writes, and returns something. */
  private static class Writing<T> implements Work {
    private final Function<Round, T> body;
    private final CompletableFuture<T> told = new CompletableFuture<>();
    private @Nullable T result;

    Writing(Function<Round, T> body) {
      this.body = body;
    }

    @Override
    public void execute(Round round) {
      result = body.apply(round);
    }

    @Override
    public void done() {
      told.complete(result);
    }

    @Override
    public void failed(RuntimeException cause) {
      told.completeExceptionally(cause);
    }
  }

  private static <T> T write(Rounds rounds, Function<Round, T> body)
      throws ExecutionException, InterruptedException {
    Writing<T> writing = new Writing<>(body);
    rounds.write(writing);
    return writing.told.get();
  }

  @Test
  void whatARoundWroteIntoARangeThatItDiscardsIsGoneToo()
      throws ExecutionException, InterruptedException {
    try (Store store = Stadium.open("memory:");
        Rounds rounds = new Rounds(store, 1, InstantSource.system())) {
      store.table().put(new byte[] {1, 1}, new byte[5]);

      long growth =
          write(
              rounds,
              round -> {
                Overlay table = round.on(store.table());
                table.counts((byte) 'm');
                table.put(new byte[] {1, 2}, new byte[3]);
                table.discard(Range.prefix(new byte[] {1}), 2 + 5 + 2 + 3);
                return table.growth();
              });

      assertThat(store.table().count()).isZero();
      assertThat(growth).isEqualTo(-(2 + 5));
    }
  }

  @Test
  void ofAKeyThatWasReadOrWrittenTheFirstByteIsKnown()
      throws ExecutionException, InterruptedException {
    try (Store store = Stadium.open("memory:");
        Rounds rounds = new Rounds(store, 1, InstantSource.system())) {
      byte[] read = {1};
      byte[] written = {2};
      byte[] absent = {3};
      store.table().put(read, new byte[] {4, 5});
      write(
          rounds,
          round -> {
            Overlay table = round.on(store.table());
            assertThat(table.first(read)).isEqualTo(4);
            assertThat(table.first(written)).isEqualTo(Overlay.ABSENT);
            table.put(written, new byte[] {(byte) 200});
            assertThat(table.first(written)).isEqualTo(200);
            return table.first(absent);
          });
      store.table().clear(); // behind its back, to see whether it reads

      List<Integer> known =
          write(
              rounds,
              round -> {
                Overlay table = round.on(store.table());
                return List.of(table.first(read), table.first(written), table.first(absent));
              });

      assertThat(known).containsExactly(4, 200, Overlay.ABSENT);
    }
  }

  @Test
  void whatIsRemovedTakenBackOrClearedIsNotKnown() throws ExecutionException, InterruptedException {
    try (Store store = Stadium.open("memory:");
        Rounds rounds = new Rounds(store, 1, InstantSource.system())) {
      byte[] removed = {1};
      byte[] takenBack = {2};
      write(
          rounds,
          round -> {
            Overlay table = round.on(store.table());
            table.put(removed, new byte[] {7});
            round.savepoint();
            table.put(takenBack, new byte[] {8});
            round.rollback();
            return table.first(takenBack);
          });
      List<Integer> first =
          write(
              rounds,
              round -> {
                Overlay table = round.on(store.table());
                int before = table.first(takenBack);
                table.delete(removed);
                return List.of(before, table.first(removed));
              });
      assertThat(first).containsExactly(Overlay.ABSENT, Overlay.ABSENT);

      int afterRemoval = write(rounds, round -> round.on(store.table()).first(removed));
      assertThat(afterRemoval).isEqualTo(Overlay.ABSENT);

      write(
          rounds,
          round -> {
            round.on(store.table()).put(removed, new byte[] {9});
            return 0;
          });
      int cleared =
          write(
              rounds,
              round -> {
                Overlay table = round.on(store.table());
                table.clear();
                return table.first(removed);
              });
      assertThat(cleared).isEqualTo(Overlay.ABSENT);
      int afterClear = write(rounds, round -> round.on(store.table()).first(removed));
      assertThat(afterClear).isEqualTo(Overlay.ABSENT);
    }
  }

  @Test
  void afterAFailureNothingIsKnown() throws ExecutionException, InterruptedException {
    try (Store store = Stadium.open("memory:");
        Rounds rounds = new Rounds(store, 1, InstantSource.system())) {
      byte[] key = {1};
      write(
          rounds,
          round -> {
            Overlay table = round.on(store.table());
            table.put(key, new byte[] {7});
            return table.first(key);
          });
      Writing<Integer> failing =
          new Writing<>(round -> {
            throw new IllegalStateException("a failure");
          });
      rounds.write(failing);
      assertThat(failing.told).failsWithin(Duration.ofMinutes(1));
      store.table().put(key, new byte[] {9}); // as if it had been written anyway

      int first = write(rounds, round -> round.on(store.table()).first(key));

      assertThat(first).isEqualTo(9);
    }
  }

  /** An error such as a lack of memory for a request. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void afterAnErrorOthersAreServed(boolean reads) {
    try (Store store = Stadium.open("memory:");
        Rounds rounds = new Rounds(store, 1, InstantSource.system())) {
      Consumer<Work> execute = reads ? rounds::read : rounds::write;
      Writing<Integer> failing =
          new Writing<>(round -> {
            throw new OutOfMemoryError("for a test");
          });
      Writing<Integer> next = new Writing<>(round -> 1);

      execute.accept(failing);
      assertThat(failing.told)
          .failsWithin(Duration.ofMinutes(1))
          .withThrowableOfType(ExecutionException.class)
          .withMessageContaining("OutOfMemoryError: for a test");
      execute.accept(next);
      assertThat(next.told).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(1);
    }
  }

  @Test
  void takingBackAClearRestoresWhatTheRoundHadWritten()
      throws ExecutionException, InterruptedException {
    try (Store store = Stadium.open("memory:");
        Rounds rounds = new Rounds(store, 1, InstantSource.system())) {
      byte[] own = {1};
      byte[] stored = {2};
      byte[] other = {3};
      store.table().put(stored, new byte[] {5});
      List<Integer> counts =
          write(
              rounds,
              round -> {
                Overlay table = round.on(store.table());
                table.put(own, new byte[] {6});
                round.savepoint();
                table.clear();
                int cleared = count(table);
                assertThat(table.get(stored)).isNull();
                table.put(other, new byte[] {7});
                int added = count(table);
                round.rollback();
                return List.of(cleared, added, count(table));
              });

      assertThat(counts).containsExactly(0, 1, 2);
      assertThat(store.table().get(own)).containsExactly(6);
      assertThat(store.table().get(stored)).containsExactly(5);
      assertThat(store.table().get(other)).isNull();
    }
  }

  private static byte @Nullable [] first(Round round, Store store, Range<byte[]> range) {
    try (Walk walk = round.on(store.table()).scan(range)) {
      return walk.next() ? walk.key() : null;
    }
  }

  /** Or each removal of a queue's head would make the next one slower, on an LSM engine. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLookForTheFirstEntryBeginsBehindThoseThatWereRemoved(boolean reversed)
      throws ExecutionException, InterruptedException {
    try (Store store = Stadium.open("lmdb:" + directory.resolve("store"));
        Rounds rounds = new Rounds(store, 1, InstantSource.system())) {
      Range<byte[]> prefix = Range.prefix(new byte[] {7});
      Range<byte[]> range = reversed ? prefix.reverse() : prefix;
      byte[][] keys = new byte[5][];
      for (int i = 0; i < 5; i++) {
        keys[i] = new byte[] {7, (byte) (reversed ? 5 - i : 1 + i)};
        store.table().put(keys[i], new byte[1]);
      }
      for (int i = 0; i < 2; i++) { // two in one round, then one
        boolean both = i == 0;
        write(
            rounds,
            round -> {
              for (int each = 0; each < (both ? 2 : 1); each++) {
                byte[] head = first(round, store, range);
                round.on(store.table()).delete(head);
              }
              return 0;
            });
      }
      store.table().put(keys[1], new byte[1]); // behind its back, to see whether it looks there

      byte[] looked = write(rounds, round -> first(round, store, range));
      assertThat(looked).isEqualTo(keys[3]);
      Writing<byte[]> reading = new Writing<>(round -> first(round, store, range));
      rounds.read(reading);
      assertThat(reading.told.get()).isEqualTo(keys[3]);

      byte[] fresh = keys[0];
      byte[] found =
          write(
              rounds,
              round -> {
                round.on(store.table()).put(fresh, new byte[1]);
                return first(round, store, range);
              });
      assertThat(found).isEqualTo(fresh);
      looked = write(rounds, round -> first(round, store, range));
      assertThat(looked).isEqualTo(fresh);
    }
  }

  /** Large values are read when they are asked for, one by one, and can be refused then. */
  @Test
  void ofManyLargeValuesFewAreReadAhead() throws ExecutionException, InterruptedException {
    AtomicLong ahead = new AtomicLong();
    StoreListener listener =
        new StoreListener() {
          @Override
          public void called(Call call, String table, long nanoseconds, long bytes) {
            ahead.addAndGet(call == Call.MULTI_GET ? bytes : 0);
          }
        };
    try (Store store =
            Stadium.open(
                "lmdb:" + directory.resolve("store"), OpenOptions.DEFAULT.listener(listener));
        Rounds rounds = new Rounds(store, 1, InstantSource.system())) {
      int count = 200;
      for (int i = 0; i < count; i++) {
        store.table().put(new byte[] {(byte) i}, new byte[100_000]);
      }
      Writing<Boolean> reading =
          new Writing<>(
              round -> {
                for (int i = 0; i < count; i++) {
                  assertThat(round.on(store.table()).get(new byte[] {(byte) i})).hasSize(100_000);
                }
                return true;
              }) {
            @Override
            public void announce(Round round) {
              for (int i = 0; i < count; i++) {
                round.on(store.table()).announce(new byte[] {(byte) i});
              }
            }
          };

      rounds.read(reading);

      assertThat(reading.told.get()).isTrue();
      assertThat(ahead.get()).isBetween(1L, 6L << 20);
    }
  }

  @Test
  void whatCannotBeAnnouncedFailsNobodyElse() {
    try (Store store = Stadium.open("lmdb:" + directory.resolve("store"));
        Rounds rounds = new Rounds(store, 1, InstantSource.system())) {
      Writing<Integer> failing =
          new Writing<>(round -> 1) {
            @Override
            public void announce(Round round) {
              throw new IllegalStateException("for a test");
            }
          };
      Writing<Integer> other = new Writing<>(round -> 2);

      rounds.read(List.of(failing, other));

      assertThat(other.told).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(2);
    }
  }

  /** Such as CONFIG SET maxmemory in a MULTI block, which counts what is there. */
  @Test
  void whatIsToBeWrittenAtOnceFromInsideARoundComesAfterIt()
      throws ExecutionException, InterruptedException {
    try (Store store = Stadium.open("memory:");
        Rounds rounds = new Rounds(store, 1, InstantSource.system())) {
      Writing<Long> inner = new Writing<>(round -> store.table().count());

      write(
          rounds,
          round -> {
            round.on(store.table()).put(new byte[1], new byte[1]);
            rounds.writeNow(inner);
            return 0;
          });

      assertThat(inner.told.get()).isEqualTo(1);
    }
  }

  @Test
  void theBeginningOfAValueIsThatOfTheStoreOrOfTheRoundsOwn()
      throws ExecutionException, InterruptedException {
    try (Store store = Stadium.open("lmdb:" + directory.resolve("store"));
        Rounds rounds = new Rounds(store, 1, InstantSource.system())) {
      for (byte i = 1; i <= 4; i++) {
        store.table().put(new byte[] {i}, new byte[] {i, 0, 0});
      }
      Function<Round, List<String>> heads =
          round -> {
            List<String> found = new ArrayList<>();
            try (Walk all = round.on(store.table()).scan(Range.all())) {
              while (all.next()) {
                Overlay.Head head = all.head(1);
                found.add(all.key()[0] + " " + head.bytes()[0] + " of " + head.length());
              }
            }
            return found;
          };
      List<String> written =
          write(
              rounds,
              round -> {
                round.on(store.table()).delete(new byte[] {2});
                round.on(store.table()).put(new byte[] {3}, new byte[] {9});
                return heads.apply(round);
              });
      Writing<List<String>> reading = new Writing<>(heads);
      rounds.read(reading);

      assertThat(written).containsExactly("1 1 of 3", "3 9 of 1", "4 4 of 3");
      assertThat(reading.told.get()).isEqualTo(written);
    }
  }

  private static int count(Overlay table) {
    int count = 0;
    try (Walk all = table.scan(Range.all())) {
      while (all.next()) {
        count++;
      }
    }
    return count;
  }
}
