package io.kvstadium.bench.measure;

import io.kvstadium.bench.measure.operation.Checks;
import io.kvstadium.bench.measure.source.Lane;
import io.kvstadium.bench.measure.source.ReplayTrace;
import io.kvstadium.bench.measure.source.ReplayValues;
import io.kvstadium.bench.result.Divergence;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.Transaction;
import io.kvstadium.store.internal.open.Stores;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Outcome;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Replays a trace on a store: one thread for each lane. */
public final class Replayer {
  /** Of so many calls, one says how much processor time making and checking it takes. */
  private static final int SAMPLED = 16;

  /** Each lane's place in the array of those that ended: a cache line of its own. */
  private static final int APART = 16;

  private static final int SPINS = 200;
  private static final long PAUSE = 20_000;

  private static final int OK = Outcome.OK.code();
  private static final int MISS = Outcome.MISS.code();

  /** Of calls: a single operation, or how several are one call. */
  private static final List<String> KINDS =
      Stream.concat(Stream.of(Kind.values()), Stream.of(Lane.Type.values()))
          .map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-'))
          .toList();

  private static final int SINGLE_KINDS = Kind.values().length;

  private final ReplayTrace trace;
  private final Store store;
  private final ReplayValues values;
  private final List<Table<byte[], byte[]>> tables = new ArrayList<>();
  private final AtomicLongArray ended;
  private volatile boolean stopped;

  /** What the replay did. */
  public static final class Outcomes {
    private final Map<String, Long> differences = new TreeMap<>();
    private long compared;

    /**
     * Nanoseconds of the lane that took longest; without a rate, without those for making and
     * checking.
     */
    private long nanos;

    private void add(Outcomes other) {
      compared += other.compared;
      other.differences.forEach((how, count) -> differences.merge(how, count, Long::sum));
      nanos = Math.max(nanos, other.nanos);
    }

    private void compare(boolean differs, String how) {
      compared++;
      if (differs) {
        differences.merge(how, 1L, Long::sum);
      }
    }

    private void found(boolean now, int recorded) {
      if (recorded == OK || recorded == MISS) {
        compare(
            now != (recorded == OK), recorded == OK ? "hits became misses" : "misses became hits");
      }
    }

    public Divergence divergence() {
      return new Divergence(compared, differences);
    }

    public long nanos() {
      return nanos;
    }
  }

  /** Opens the tables of a trace. */
  public Replayer(ReplayTrace trace, Store store) {
    this.trace = trace;
    this.store = store;
    this.values = new ReplayValues();
    this.ended = new AtomicLongArray(APART * (trace.lanes().size() + 1));
    for (int table = 0; table < trace.tables().size(); table++) {
      tables.add(store.table(trace.stored(table)));
    }
  }

  /** Puts what must be there before, or the first {@code most} entries of each table. */
  public void prepare(long most, LongConsumer progress) {
    for (int table = 0; table < tables.size(); table++) {
      int[] keys = trace.starts(table);
      int count = (int) Math.min(most, keys.length);
      if (count > 0) {
        tables
            .get(table)
            .bulkLoad(
                new Iterator<>() {
                  private int next;

                  @Override
                  public boolean hasNext() {
                    return next < count;
                  }

                  @Override
                  public Entry<byte[], byte[]> next() {
                    int key = keys[next++];
                    progress.accept(next);
                    return new Entry<>(
                        trace.key(key), values.value(trace.keyHash(key), trace.startLength(key)));
                  }
                },
                true);
      }
    }
  }

  /** A meter for each lane of a phase that began then. */
  public List<Meter> meters(long origin) {
    return trace.lanes().stream().map(_ -> new Meter(KINDS, origin)).toList();
  }

  /**
   * Replays.
   *
   * @param factor how many times faster than recorded; 0 for as fast as possible
   * @param most nanoseconds after which no call begins
   * @param waiting waits until a moment of {@link System#nanoTime}
   * @param meters one for each lane
   * @param called receives the number of the lane after each call, by the lane's thread
   */
  public Outcomes run(
      double factor, long most, LongConsumer waiting, List<Meter> meters, IntConsumer called) {
    List<LaneRun> runs = new ArrayList<>();
    WorkerThreads threads = new WorkerThreads("replay");
    for (int i = 0; i < trace.lanes().size(); i++) {
      if (trace.lanes().get(i).calls() > 0) {
        LaneRun run = new LaneRun(i, factor, most, waiting, meters.get(i), called);
        runs.add(run);
        threads.add(true, run);
      }
    }
    threads.run(
        () -> {
          long origin = System.nanoTime() + (factor > 0 ? 5_000_000 : 0);
          runs.forEach(run -> run.origin = origin);
        },
        () -> {});
    Outcomes all = new Outcomes();
    runs.forEach(run -> all.add(run.outcomes));
    return all;
  }

  /** The calls of a lane. */
  private final class LaneRun implements Runnable {
    private final int number;
    private final Lane lane;
    private final double factor;
    private long origin;
    private final long most;
    private final LongConsumer waiting;
    private final Meter meter;
    private final Checks checks;
    private final IntConsumer called;
    private final Outcomes outcomes = new Outcomes();

    // of the call at hand
    private byte[] @Nullable [] written = new byte[16] @Nullable [];
    private byte[] @Nullable [] read = new byte[16] @Nullable [];
    private long[] counts = new long[16];
    private boolean scans;

    /** Operations of others while it was recorded, which a scan may have seen or not. */
    private long unordered;

    private final int[] writersCalls = new int[trace.lanes().size()];

    LaneRun(
        int number,
        double factor,
        long most,
        LongConsumer waiting,
        Meter meter,
        IntConsumer called) {
      this.number = number;
      this.lane = trace.lanes().get(number);
      this.factor = factor;
      this.most = most;
      this.waiting = waiting;
      this.meter = meter;
      this.checks = meter.checks();
      this.called = called;
    }

    @Override
    public void run() {
      boolean complete = false;
      try {
        runAll();
        complete = true;
      } finally {
        stopped |= !complete; // nobody waits for it
      }
    }

    private void runAll() {
      long begin = System.nanoTime();
      long untimed = 0;
      long end = begin;
      for (int call = 0; call < lane.calls() && !stopped; call++) {
        long making = System.nanoTime();
        long intended = 0;
        if (factor > 0) {
          long offset = (long) ((lane.begin(call) - trace.first()) / factor);
          intended = origin + offset;
          if (making - origin > most) {
            if (offset > most) {
              break;
            }
            meter.unstarted(most - offset);
            ended.setRelease(APART * (number + 1), call + 1L);
            continue;
          }
          if (offset > most) {
            break;
          }
        } else if (making - begin > most) {
          break;
        }
        // to ask for processor time twice with each call would take longer than many calls
        boolean isSample = factor == 0 && call % SAMPLED == 0;
        long cpu = isSample ? Meter.threadNanos() : 0;
        make(call);
        untimed += System.nanoTime() - making;
        long made = isSample ? Meter.threadNanos() - cpu : 0;
        awaitOthers(call);
        if (System.nanoTime() - (factor > 0 ? origin : begin) > most) {
          // the calls that it follows may have been left out
          if (factor > 0) {
            meter.unstarted(most - (intended - origin));
          }
          ended.setRelease(APART * (number + 1), call + 1L);
          continue;
        }
        boolean free = factor > 0 && System.nanoTime() - intended < 0;
        if (free) {
          waiting.accept(intended);
        }
        long before = System.nanoTime();
        boolean refused = !carriedOut(call);
        end = System.nanoTime();
        ended.setRelease(APART * (number + 1), call + 1L);
        int kind = kind(call);
        meter.one(kind, before, end);
        if (factor > 0) {
          meter.due(kind, intended, free, before, end);
        }
        cpu = isSample ? Meter.threadNanos() : 0;
        called.accept(number);
        check(call, refused);
        if (isSample) {
          meter.harness(SAMPLED * (made + Meter.threadNanos() - cpu));
        }
        untimed += System.nanoTime() - end;
      }
      stopIfEarly();
      outcomes.nanos = Math.max(1, end - begin - (factor > 0 ? 0 : untimed));
    }

    /** The number of the kind of a call. */
    @SuppressWarnings("EnumOrdinal") // of arrays in memory
    private int kind(int call) {
      Lane.Type type = lane.type(call);
      return type == Lane.Type.SINGLE ? lane.kind(lane.first(call)) : SINGLE_KINDS + type.ordinal();
    }

    /** Lets nobody wait for calls that are not made any more. */
    private void stopIfEarly() {
      ended.setRelease(APART * (number + 1), Long.MAX_VALUE);
    }

    private void awaitOthers(int call) {
      for (int wait = lane.firstWait(call); wait < lane.firstWait(call + 1); wait++) {
        long awaited = lane.awaited(wait);
        await((int) (awaited >> 32), (int) awaited);
      }
      for (int other = 0; scans && other < writersCalls.length; other++) {
        await(other, writersCalls[other]);
      }
    }

    @SuppressWarnings("ThreadPriorityCheck") // correctness does not depend on the yield
    private void await(int other, int calls) {
      int place = APART * (other + 1);
      for (int spin = 0; ended.getAcquire(place) < calls && !stopped; spin++) {
        if (spin < SPINS) {
          Thread.onSpinWait();
        } else if (spin < 2 * SPINS) {
          Thread.yield();
        } else {
          LockSupport.parkNanos(PAUSE);
        }
      }
    }

    private void make(int call) {
      int from = lane.first(call);
      int count = lane.first(call + 1) - from;
      if (count > written.length) {
        written = new byte[2 * count] @Nullable [];
        read = new byte[2 * count] @Nullable [];
        counts = new long[2 * count];
      }
      scans = false;
      for (int i = 0; i < count; i++) {
        Kind kind = Kind.of(lane.kind(from + i));
        scans |= kind == Kind.SCAN;
        read[i] = null;
        written[i] =
            switch (kind) {
              case PUT, PUT_EXPIRING, PUT_IF -> {
                int key = lane.key(from + i);
                yield values.value(trace.keyHash(key), trace.length(lane.length(from + i)));
              }
              default -> null;
            };
      }
      unordered = 0;
      for (int i = 0; scans && i < writersCalls.length; i++) {
        Lane other = trace.lanes().get(i);
        writersCalls[i] = 0;
        if (i != number && other.writes()) {
          writersCalls[i] = other.endedBefore(lane.begin(call));
          int begun = other.endedBefore(lane.end(call));
          if (begun < other.calls() && other.begin(begun) < lane.end(call)) {
            begun++;
          }
          unordered += other.first(begun) - other.first(writersCalls[i]);
        }
      }
    }

    /** Makes the call; false if the store refused it. */
    private boolean carriedOut(int call) {
      int from = lane.first(call);
      int to = lane.first(call + 1);
      try {
        switch (lane.type(call)) {
          case SINGLE, IN_TURN -> {
            for (int at = from; at < to; at++) {
              single(at, at - from, null);
            }
          }
          case BATCH -> batch(from, to);
          case MULTI_GET -> multiGet(from, to);
          case TRANSACTION, ROLLED_BACK -> {
            boolean back = lane.type(call) == Lane.Type.ROLLED_BACK;
            store.transact(transaction -> {
              for (int at = from; at < to; at++) {
                single(at, at - from, transaction);
              }
              if (back) {
                transaction.rollback();
              }
              return 0;
            });
          }
        }
        return true;
      } catch (BadArgumentException | ConflictException e) {
        return false;
      }
    }

    private Table<byte[], byte[]> table(int number, @Nullable Transaction transaction) {
      Table<byte[], byte[]> table = tables.get(number);
      return transaction == null ? table : transaction.on(table);
    }

    private void single(int at, int slot, @Nullable Transaction transaction) {
      Kind kind = Kind.of(lane.kind(at));
      switch (kind) {
        case SCAN -> scan(lane.extent(at), slot, transaction);
        case DELETE_RANGE -> {
          Lane.Extent extent = lane.extent(at);
          table(extent.table(), transaction).delete(extent.range());
        }
        case CLEAR -> table(lane.extent(at).table(), transaction).clear();
        case SYNC -> store.sync();
        default -> {
          int number = lane.key(at);
          byte[] key = trace.key(number);
          Table<byte[], byte[]> table = table(trace.tableOf(number), transaction);
          byte[] value = written[slot];
          boolean holds = lane.outcome(at) != MISS;
          switch (kind) {
            case GET -> read[slot] = table.get(key);
            case CONTAINS -> counts[slot] = table.contains(key) ? 1 : 0;
            case PUT, PUT_EXPIRING -> table.put(key, made(value));
            case DELETE -> table.delete(key);
            case PUT_IF -> Stores.exchange(table, key, holds, made(value));
            case DELETE_IF -> Stores.exchange(table, key, holds, null);
            default -> throw new IllegalStateException(kind + " is not replayed");
          }
        }
      }
    }

    private static byte[] made(byte @Nullable [] value) {
      if (value == null) {
        throw new IllegalStateException("a put has a value");
      }
      return value;
    }

    /** As many entries as the application read. */
    private void scan(Lane.Extent extent, int slot, @Nullable Transaction transaction) {
      long count = 0;
      long bytes = 0;
      boolean keysOnly = extent.range().withoutValues();
      long wanted = extent.count() < 0 ? extent.range().limit() : extent.count();
      try (Cursor<byte[], byte[]> cursor =
          table(extent.table(), transaction).scan(extent.range())) {
        while (count < wanted && cursor.next()) {
          bytes += cursor.key().length + (keysOnly ? 0 : cursor.value().length);
          count++;
        }
      }
      counts[slot] = count;
      checks.bytes += bytes;
      checks.entries += count;
    }

    private void batch(int from, int to) {
      store.write(batch -> {
        for (int at = from; at < to; at++) {
          Kind kind = Kind.of(lane.kind(at));
          if (kind == Kind.DELETE_RANGE) {
            Lane.Extent extent = lane.extent(at);
            batch.delete(tables.get(extent.table()), extent.range());
            continue;
          }
          int number = lane.key(at);
          Table<byte[], byte[]> table = tables.get(trace.tableOf(number));
          byte[] value = written[at - from];
          if (value == null) {
            batch.delete(table, trace.key(number));
          } else {
            batch.put(table, trace.key(number), value);
          }
        }
      });
    }

    private void multiGet(int from, int to) {
      List<byte[]> keys = new ArrayList<>(to - from);
      for (int at = from; at < to; at++) {
        keys.add(trace.key(lane.key(at)));
      }
      List<byte @Nullable []> found = tables.get(trace.tableOf(lane.key(from))).multiGet(keys);
      for (int i = 0; i < found.size(); i++) {
        read[i] = found.get(i);
      }
    }

    private void check(int call, boolean refused) {
      int from = lane.first(call);
      if (refused) {
        outcomes.compare(true, "refused");
        return;
      }
      for (int at = from; at < lane.first(call + 1); at++) {
        check(at, at - from);
      }
    }

    private void check(int at, int slot) {
      Kind kind = Kind.of(lane.kind(at));
      switch (kind) {
        case GET -> {
          byte[] value = read[slot];
          int number = lane.key(at);
          checks.entries++;
          checks.bytes += trace.key(number).length + (value == null ? 0 : value.length);
          if (value != null && !values.matches(trace.keyHash(number), value)) {
            checks.wrong("a get gave other bytes than were ever written to its key");
          }
          int recorded = lane.outcome(at);
          int length = lane.length(at);
          if (value != null && recorded == OK && length >= 0 && value.length != length) {
            outcomes.compare(true, "values of another length");
          } else {
            outcomes.found(value != null, recorded);
          }
        }
        case CONTAINS -> {
          checks.entries++;
          outcomes.found(counts[slot] == 1, lane.outcome(at));
        }
        case SCAN -> {
          Lane.Extent extent = lane.extent(at);
          if (extent.count() >= 0) {
            outcomes.compare(
                counts[slot] + unordered < extent.count(), "scans found fewer entries");
          }
        }
        default -> {
          byte[] value = written[slot];
          if (value != null) {
            long written = (long) trace.key(lane.key(at)).length + value.length;
            checks.bytes += written;
            checks.writtenBytes += written;
          }
          checks.entries++;
        }
      }
    }
  }
}
