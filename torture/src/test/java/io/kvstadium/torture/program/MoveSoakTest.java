package io.kvstadium.torture.program;

import static io.kvstadium.torture.program.MoveModel.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Move.State;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An application writes at a steady rate while its store moves over and back. */
@Tag("full")
class MoveSoakTest extends Moving {
  private static final int WRITERS = 4;
  private static final int WRITES_PER_SECOND = 5_000;
  private static final int KEYS = 20_000;

  /** For a machine that does much else. */
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private final Duration time = Duration.ofSeconds(Integer.getInteger("stadium.move.soak", 20));
  private final Duration stay = time.dividedBy(12);
  private final long end = System.nanoTime() + time.toNanos();

  @Test
  void theApplicationSeesNoErrorAndWaitsShortly() throws Exception {
    try (Store store = moving();
        ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<long[]>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        String name = "t" + i;
        writers.add(threads.submit((Callable<long[]>) () -> write(store, name)));
      }
      Future<int[]> changes = threads.submit(() -> change(store));

      long count = 0;
      long longest = 0;
      for (Future<long[]> writer : writers) {
        count += writer.get()[0];
        longest = Math.max(longest, writer.get()[1]);
      }
      int[] made = changes.get();
      System.out.printf(
          "%d writes in %d s, %d change-overs and %d that were put off; the longest call took %d ms%n",
          count, time.toSeconds(), made[0], made[1], TimeUnit.NANOSECONDS.toMillis(longest));
      assertThat(made[0]).isPositive();
      MovedProgram.exchange(move(store), true); // all entries are compared
    }
  }

  /** One thread's writes, of which it knows what they leave; returns how many, and the longest. */
  private long[] write(Store store, String name) {
    Table<byte[], byte[]> table = store.table(name);
    Map<String, String> model = new TreeMap<>();
    SplittableRandom random = new SplittableRandom(name.hashCode());
    long begun = System.nanoTime();
    long period = WRITERS * 1_000_000_000L / WRITES_PER_SECOND;
    long longest = 0;
    long count = 0;
    for (; System.nanoTime() < end; count++) {
      LockSupport.parkNanos(begun + count * period - System.nanoTime());
      String key = "k%05d".formatted(random.nextInt(KEYS));
      String value = Long.toString(count).repeat(10);
      long call = System.nanoTime();
      byte[] read = table.get(bytes(key));
      assertThat(read).isEqualTo(model.containsKey(key) ? bytes(model.get(key)) : null);
      switch (random.nextInt(50)) {
        case 0 -> {
          String to = key + "0";
          table.delete(Range.between(bytes(key), bytes(to)));
          model.remove(key);
        }
        case 1, 2, 3 -> {
          store.transact(tx -> {
            tx.on(table).put(bytes(key), bytes(value));
            return null;
          });
          model.put(key, value);
        }
        default -> {
          table.put(bytes(key), bytes(value));
          model.put(key, value);
        }
      }
      longest = Math.max(longest, System.nanoTime() - call);
    }
    return new long[] {count, longest};
  }

  /** Returns how many change-overs were made, and how many were put off. */
  private int[] change(Store store) throws InterruptedException {
    await(State.IN_STEP);
    int[] made = new int[2];
    while (System.nanoTime() < end - stay.toNanos()) {
      try {
        var _ =
            move(store).status().state() == State.OVER
                ? move(store).back(PATIENCE, false)
                : move(store).over(PATIENCE, false);
        made[0]++;
        TimeUnit.NANOSECONDS.sleep(stay.toNanos());
      } catch (StadiumException e) {
        made[1]++; // it goes on as before
      }
    }
    return made;
  }
}
