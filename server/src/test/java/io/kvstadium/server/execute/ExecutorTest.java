package io.kvstadium.server.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.server.command.Call;
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

class ExecutorTest {
  @TempDir private Path directory;

  /** Reads a key. */
  private static final class Reading implements Task {
    private final Store store;
    private final byte[] key;
    private final CompletableFuture<Boolean> found = new CompletableFuture<>();

    Reading(Store store, int length) {
      this.store = store;
      this.key = new byte[length];
    }

    @Override
    public void prefetch(CommitGroup commitGroup) {
      commitGroup.view(store.table()).prefetch(key);
    }

    @Override
    public void execute(CommitGroup commitGroup) {
      found.complete(commitGroup.view(store.table()).get(key) != null);
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
        Executor executor = new Executor(store, 1, InstantSource.system())) {
      store.table().put(new byte[10], new byte[0]);
      List<Reading> works =
          List.of(
              new Reading(store, 10),
              new Reading(store, 5_000),
              new Reading(store, 0),
              new Reading(store, 10));

      executor.read(works);

      assertThat(works.get(0).found.get()).isTrue();
      assertThat(works.get(1).found.get()).isFalse();
      assertThat(works.get(2).found.get()).isFalse();
      assertThat(works.get(3).found.get()).isTrue();
    }
  }

  @Test
  void whatComesAfterTheEndFails() {
    try (Store store = Stadium.open("memory:")) {
      Executor executor = new Executor(store, 3, InstantSource.system());
      executor.close();
      Reading late = new Reading(store, 1);

      executor.read(late);

      assertThat(late.found).isCompletedExceptionally();
      assertThat(late.found.exceptionNow()).isInstanceOf(ClosedException.class);
    }
  }

  /** Writes, and returns something. */
  private static class Writing<T> implements Task {
    private final Function<CommitGroup, T> body;
    private final CompletableFuture<T> told = new CompletableFuture<>();
    private @Nullable T result;

    Writing(Function<CommitGroup, T> body) {
      this.body = body;
    }

    @Override
    public void execute(CommitGroup commitGroup) {
      result = body.apply(commitGroup);
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

  private static <T> T write(Executor executor, Function<CommitGroup, T> body)
      throws ExecutionException, InterruptedException {
    Writing<T> writing = new Writing<>(body);
    executor.write(writing);
    return writing.told.get();
  }

  @Test
  void whatARoundWroteIntoARangeThatItDiscardsIsGoneToo()
      throws ExecutionException, InterruptedException {
    try (Store store = Stadium.open("memory:");
        Executor executor = new Executor(store, 1, InstantSource.system())) {
      store.table().put(new byte[] {1, 1}, new byte[5]);

      long growth =
          write(
              executor,
              commitGroup -> {
                WriteSet table = commitGroup.on(store.table());
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
        Executor executor = new Executor(store, 1, InstantSource.system())) {
      byte[] read = {1};
      byte[] written = {2};
      byte[] absent = {3};
      store.table().put(read, new byte[] {4, 5});
      write(
          executor,
          commitGroup -> {
            WriteSet table = commitGroup.on(store.table());
            assertThat(table.first(read)).isEqualTo(4);
            assertThat(table.first(written)).isEqualTo(WriteSet.ABSENT);
            table.put(written, new byte[] {(byte) 200});
            assertThat(table.first(written)).isEqualTo(200);
            return table.first(absent);
          });
      store.table().clear(); // behind its back, to see whether it reads

      List<Integer> known =
          write(
              executor,
              commitGroup -> {
                WriteSet table = commitGroup.on(store.table());
                return List.of(table.first(read), table.first(written), table.first(absent));
              });

      assertThat(known).containsExactly(4, 200, WriteSet.ABSENT);
    }
  }

  @Test
  void whatIsRemovedTakenBackOrClearedIsNotKnown() throws ExecutionException, InterruptedException {
    try (Store store = Stadium.open("memory:");
        Executor executor = new Executor(store, 1, InstantSource.system())) {
      byte[] removed = {1};
      byte[] takenBack = {2};
      write(
          executor,
          commitGroup -> {
            WriteSet table = commitGroup.on(store.table());
            table.put(removed, new byte[] {7});
            commitGroup.savepoint();
            table.put(takenBack, new byte[] {8});
            commitGroup.rollback();
            return table.first(takenBack);
          });
      List<Integer> first =
          write(
              executor,
              commitGroup -> {
                WriteSet table = commitGroup.on(store.table());
                int before = table.first(takenBack);
                table.delete(removed);
                return List.of(before, table.first(removed));
              });
      assertThat(first).containsExactly(WriteSet.ABSENT, WriteSet.ABSENT);

      int afterRemoval =
          write(executor, commitGroup -> commitGroup.on(store.table()).first(removed));
      assertThat(afterRemoval).isEqualTo(WriteSet.ABSENT);

      write(
          executor,
          commitGroup -> {
            commitGroup.on(store.table()).put(removed, new byte[] {9});
            return 0;
          });
      int cleared =
          write(
              executor,
              commitGroup -> {
                WriteSet table = commitGroup.on(store.table());
                table.clear();
                return table.first(removed);
              });
      assertThat(cleared).isEqualTo(WriteSet.ABSENT);
      int afterClear = write(executor, commitGroup -> commitGroup.on(store.table()).first(removed));
      assertThat(afterClear).isEqualTo(WriteSet.ABSENT);
    }
  }

  @Test
  void afterAFailureNothingIsKnown() throws ExecutionException, InterruptedException {
    try (Store store = Stadium.open("memory:");
        Executor executor = new Executor(store, 1, InstantSource.system())) {
      byte[] key = {1};
      write(
          executor,
          commitGroup -> {
            WriteSet table = commitGroup.on(store.table());
            table.put(key, new byte[] {7});
            return table.first(key);
          });
      Writing<Integer> failing =
          new Writing<>(commitGroup -> {
            throw new IllegalStateException("a failure");
          });
      executor.write(failing);
      assertThat(failing.told).failsWithin(Duration.ofMinutes(1));
      store.table().put(key, new byte[] {9}); // as if it had been written anyway

      int first = write(executor, commitGroup -> commitGroup.on(store.table()).first(key));

      assertThat(first).isEqualTo(9);
    }
  }

  /** An error such as a lack of memory for a request. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void afterAnErrorOthersAreServed(boolean reads) {
    try (Store store = Stadium.open("memory:");
        Executor executor = new Executor(store, 1, InstantSource.system())) {
      Consumer<Task> execute = reads ? executor::read : executor::write;
      Writing<Integer> failing =
          new Writing<>(commitGroup -> {
            throw new OutOfMemoryError("for a test");
          });
      Writing<Integer> next = new Writing<>(commitGroup -> 1);

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
  void aGroupThatOnlyReadsRefusesToWrite() {
    try (Store store = Stadium.open("memory:");
        Executor executor = new Executor(store, 1, InstantSource.system())) {
      Writing<Integer> reading =
          new Writing<>(commitGroup -> {
            commitGroup.on(store.table()).put(new byte[1], new byte[1]);
            return 0;
          });

      executor.read(reading);

      assertThat(reading.told)
          .failsWithin(Duration.ofMinutes(1))
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void takingBackAClearRestoresWhatTheRoundHadWritten()
      throws ExecutionException, InterruptedException {
    try (Store store = Stadium.open("memory:");
        Executor executor = new Executor(store, 1, InstantSource.system())) {
      byte[] own = {1};
      byte[] stored = {2};
      byte[] other = {3};
      store.table().put(stored, new byte[] {5});
      List<Integer> counts =
          write(
              executor,
              commitGroup -> {
                WriteSet table = commitGroup.on(store.table());
                table.put(own, new byte[] {6});
                commitGroup.savepoint();
                table.clear();
                int cleared = count(table);
                assertThat(table.get(stored)).isNull();
                table.put(other, new byte[] {7});
                int added = count(table);
                commitGroup.rollback();
                return List.of(cleared, added, count(table));
              });

      assertThat(counts).containsExactly(0, 1, 2);
      assertThat(store.table().get(own)).containsExactly(6);
      assertThat(store.table().get(stored)).containsExactly(5);
      assertThat(store.table().get(other)).isNull();
    }
  }

  private static byte @Nullable [] first(
      CommitGroup commitGroup, Store store, Range<byte[]> range) {
    try (Walk walk = commitGroup.view(store.table()).scan(range)) {
      return walk.next() ? walk.key() : null;
    }
  }

  /** Or each removal of a queue's head would make the next one slower, on an LSM engine. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLookForTheFirstEntryBeginsBehindThoseThatWereRemoved(boolean reversed)
      throws ExecutionException, InterruptedException {
    try (Store store = Stadium.open("lmdb:" + directory.resolve("store"));
        Executor executor = new Executor(store, 1, InstantSource.system())) {
      Range<byte[]> prefix = Range.prefix(new byte[] {7});
      Range<byte[]> range = reversed ? prefix.reverse() : prefix;
      byte[][] keys = new byte[5][];
      for (int i = 0; i < 5; i++) {
        keys[i] = new byte[] {7, (byte) (reversed ? 5 - i : 1 + i)};
        store.table().put(keys[i], new byte[1]);
      }
      for (int i = 0; i < 2; i++) { // two in one commit group, then one
        boolean both = i == 0;
        write(
            executor,
            commitGroup -> {
              for (int each = 0; each < (both ? 2 : 1); each++) {
                byte[] head = first(commitGroup, store, range);
                commitGroup.on(store.table()).delete(head);
              }
              return 0;
            });
      }
      store.table().put(keys[1], new byte[1]); // behind its back, to see whether it looks there

      byte[] looked = write(executor, commitGroup -> first(commitGroup, store, range));
      assertThat(looked).isEqualTo(keys[3]);
      Writing<byte[]> reading = new Writing<>(commitGroup -> first(commitGroup, store, range));
      executor.read(reading);
      assertThat(reading.told.get()).isEqualTo(keys[3]);

      byte[] fresh = keys[0];
      byte[] found =
          write(
              executor,
              commitGroup -> {
                commitGroup.on(store.table()).put(fresh, new byte[1]);
                return first(commitGroup, store, range);
              });
      assertThat(found).isEqualTo(fresh);
      looked = write(executor, commitGroup -> first(commitGroup, store, range));
      assertThat(looked).isEqualTo(fresh);
    }
  }

  /** Large values are read when they are asked for, one by one, and can be refused then. */
  @Test
  void ofManyLargeValuesFewAreReadAhead() throws ExecutionException, InterruptedException {
    AtomicLong ahead = new AtomicLong();
    try (Store store = countingReadAhead(ahead);
        Executor executor = new Executor(store, 1, InstantSource.system())) {
      for (int i = 0; i < 200; i++) {
        store.table().put(new byte[] {(byte) i}, new byte[100_000]);
      }

      read(executor, store, 0, 200);

      assertThat(ahead.get()).isBetween(1L, 6L << 20);
    }
  }

  @Test
  void largeValuesThatWereMetAreNotReadAheadAndSmallOnesAre()
      throws ExecutionException, InterruptedException {
    AtomicLong ahead = new AtomicLong();
    try (Store store = countingReadAhead(ahead);
        Executor executor = new Executor(store, 1, InstantSource.system())) {
      for (int i = 0; i < 200; i++) {
        store.table().put(new byte[] {(byte) i}, new byte[i < 10 ? 5_000_000 : 5_000]); // not hot
      }
      for (int i = 0; i < 10; i++) { // alone
        read(executor, store, i, i + 1);
      }
      for (int i = 0; i < 50; i++) {
        read(executor, store, 10, 200);
      }
      assertThat(ahead.getAndSet(0)).isGreaterThan(40L * 190 * 5_000);

      read(executor, store, 0, 10);

      assertThat(ahead).hasValue(0);
    }
  }

  /** A store that adds the bytes that are read by many keys at once. */
  private Store countingReadAhead(AtomicLong ahead) {
    StoreListener listener =
        new StoreListener() {
          @Override
          public void called(Call call, String table, long nanoseconds, long bytes) {
            ahead.addAndGet(call == Call.MULTI_GET ? bytes : 0);
          }
        };
    return Stadium.open(
        "lmdb:" + directory.resolve("store"), OpenOptions.DEFAULT.listener(listener));
  }

  /** Reads keys of one byte, which it names before. */
  private static void read(Executor executor, Store store, int from, int to)
      throws ExecutionException, InterruptedException {
    Writing<Boolean> reading =
        new Writing<>(
            commitGroup -> {
              for (int i = from; i < to; i++) {
                assertThat(commitGroup.view(store.table()).get(new byte[] {(byte) i})).isNotNull();
              }
              return true;
            }) {
          @Override
          public void prefetch(CommitGroup commitGroup) {
            for (int i = from; i < to; i++) {
              commitGroup.view(store.table()).prefetch(new byte[] {(byte) i});
            }
          }
        };

    executor.read(reading);

    assertThat(reading.told.get()).isTrue();
  }

  @Test
  void whatCannotBeAnnouncedFailsNobodyElse() {
    try (Store store = Stadium.open("lmdb:" + directory.resolve("store"));
        Executor executor = new Executor(store, 1, InstantSource.system())) {
      Writing<Integer> failing =
          new Writing<>(commitGroup -> 1) {
            @Override
            public void prefetch(CommitGroup commitGroup) {
              throw new IllegalStateException("for a test");
            }
          };
      Writing<Integer> other = new Writing<>(commitGroup -> 2);

      executor.read(List.of(failing, other));

      assertThat(other.told).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(2);
    }
  }

  /** Such as CONFIG SET maxmemory in a MULTI block, which counts what is there. */
  @Test
  void whatIsToBeWrittenAtOnceFromInsideARoundComesAfterIt()
      throws ExecutionException, InterruptedException {
    try (Store store = Stadium.open("memory:");
        Executor executor = new Executor(store, 1, InstantSource.system())) {
      Writing<Long> inner = new Writing<>(commitGroup -> store.table().count());

      write(
          executor,
          commitGroup -> {
            commitGroup.on(store.table()).put(new byte[1], new byte[1]);
            executor.writeNow(inner);
            return 0;
          });

      assertThat(inner.told.get()).isEqualTo(1);
    }
  }

  @Test
  void theBeginningOfAValueIsThatOfTheStoreOrOfTheRoundsOwn()
      throws ExecutionException, InterruptedException {
    try (Store store = Stadium.open("lmdb:" + directory.resolve("store"));
        Executor executor = new Executor(store, 1, InstantSource.system())) {
      for (byte i = 1; i <= 4; i++) {
        store.table().put(new byte[] {i}, new byte[] {i, 0, 0});
      }
      Function<CommitGroup, List<String>> heads =
          commitGroup -> {
            List<String> found = new ArrayList<>();
            try (Walk all = commitGroup.view(store.table()).scan(Range.all())) {
              while (all.next()) {
                ReadView.Head head = all.head(1);
                found.add(all.key()[0] + " " + head.bytes()[0] + " of " + head.length());
              }
            }
            return found;
          };
      List<String> written =
          write(
              executor,
              commitGroup -> {
                commitGroup.on(store.table()).delete(new byte[] {2});
                commitGroup.on(store.table()).put(new byte[] {3}, new byte[] {9});
                return heads.apply(commitGroup);
              });
      Writing<List<String>> reading = new Writing<>(heads);
      executor.read(reading);

      assertThat(written).containsExactly("1 1 of 3", "3 9 of 1", "4 4 of 3");
      assertThat(reading.told.get()).isEqualTo(written);
    }
  }

  private static int count(WriteSet table) {
    int count = 0;
    try (Walk all = table.scan(Range.all())) {
      while (all.next()) {
        count++;
      }
    }
    return count;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void keysThatAreReadAreOfOneMomentUnlessOneOfThemWasWrittenMeanwhile(boolean isWritten)
      throws ExecutionException, InterruptedException {
    try (Store store = Stadium.open("lmdb:" + directory.resolve("store"));
        Executor executor = new Executor(store, 1, InstantSource.system())) {
      byte[] first = {1};
      byte[] second = {2};
      store.table().put(first, new byte[] {1});
      Writing<Boolean> reading =
          new Writing<>(commitGroup -> {
            commitGroup.beginPointReads();
            ReadView table = commitGroup.view(store.table());
            byte[] before = table.get(first);
            if (isWritten) {
              Writing<Object> writing =
                  new Writing<>(group -> {
                    group.on(store.table()).put(first, new byte[] {2});
                    group.on(store.table()).put(second, new byte[] {2});
                    return group;
                  });
              executor.write(writing);
              writing.told.join();
            }
            assertThat(before).containsExactly(1);
            assertThat(table.get(second) != null).isEqualTo(isWritten);
            boolean agree = commitGroup.endPointReads();
            commitGroup.beginPointReads();
            assertThat(table.get(first)).containsExactly(isWritten ? 2 : 1);
            assertThat(table.get(second) != null).isEqualTo(isWritten);
            assertThat(commitGroup.endPointReads()).isTrue();
            return agree;
          });

      executor.read(reading);

      assertThat(reading.told.get()).isEqualTo(!isWritten);
    }
  }
}
