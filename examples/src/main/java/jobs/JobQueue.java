package jobs;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.codec.Codec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that are taken once each, the most urgent first, on any engine with ordered scans, several
 * tables and transactions. The argument is the store's URL.
 */
public final class JobQueue implements AutoCloseable {
  /** Where a job stands in the queue: a smaller rank comes first, then an earlier job. */
  private record Place(int rank, long number) {}

  private final Store store;
  private final Table<Long, String> jobs;
  private final Table<Place, Boolean> places; // the key is everything
  private final Table<String, Long> counters;

  public JobQueue(String url) {
    this.store =
        Stadium.open(
            url,
            OpenOptions.DEFAULT.require(
                Capability.ORDERED_SCAN, Capability.TABLES, Capability.TRANSACTION));
    this.jobs = store.table("jobs", Codec.LONG, Codec.STRING);
    this.places = store.table("places", Codec.record(Place.class), Codec.BOOLEAN);
    this.counters = store.table("counters", Codec.STRING, Codec.LONG);
  }

  /** Adds a job; returns its number. */
  public long add(int rank, String job) {
    return store.transact(tx -> {
      long number = tx.on(counters).increment("next", 1);
      tx.on(jobs).put(number, job);
      tx.on(places).put(new Place(rank, number), true);
      return number;
    });
  }

  /**
   * Takes the first job, or returns {@code null} if there is none. Nobody else gets it. The scan
   * finds a candidate; only the job itself, read by its key, is protected on every engine.
   */
  public @Nullable Entry<Long, String> take() {
    return store.<@Nullable Entry<Long, String>>transact(tx -> {
      Table<Place, Boolean> index = tx.on(places);
      Table<Long, String> bodies = tx.on(jobs);
      for (var first = index.first(Range.all()); first != null; first = index.first(Range.all())) {
        index.delete(first.key());
        long number = first.key().number();
        String job = bodies.get(number);
        if (job != null) {
          bodies.delete(number);
          return new Entry<>(number, job);
        } // else somebody has taken it since the scan
      }
      return null;
    });
  }

  @Override
  public void close() {
    store.close();
  }

  /** Two threads add 25 jobs each, and four take them meanwhile. */
  public static void main(String[] arguments) throws InterruptedException, ExecutionException {
    String url = arguments.length > 0 ? arguments[0] : "memory:";
    try (JobQueue queue = new JobQueue(url)) {
      int all = 50;
      AtomicInteger taken = new AtomicInteger();
      AtomicInteger wrong = new AtomicInteger();
      Set<Long> seen = ConcurrentHashMap.newKeySet();
      List<Future<?>> running = new ArrayList<>();
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (String source : List.of("mail", "print")) {
          running.add(
              threads.submit(() -> {
                for (int i = 0; i < all / 2; i++) {
                  queue.add(i % 3, source + " " + i);
                }
              }));
        }
        for (int i = 0; i < 4; i++) {
          running.add(
              threads.submit(() -> {
                while (taken.get() < all && !Thread.interrupted()) {
                  Entry<Long, String> job = queue.take();
                  if (job != null) {
                    wrong.addAndGet(seen.add(job.key()) ? 0 : 1);
                    taken.incrementAndGet();
                  } else {
                    Thread.sleep(1); // virtual threads that never wait keep others from running
                  }
                }
                return null;
              }));
        }
        try {
          for (Future<?> each : running) {
            each.get(); // throws what a thread has thrown
          }
        } finally {
          threads.shutdownNow();
        }
      }
      System.out.println("taken: " + taken + ", of these twice: " + wrong);
      System.out.println("left: " + queue.take());
    }
  }
}
