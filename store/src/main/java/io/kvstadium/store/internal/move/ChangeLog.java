package io.kvstadium.store.internal.move;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.internal.guard.EngineCall;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What was changed in the store that the application uses and is not in the other one yet: a hidden
 * table of the former, whose entries are written with each change in one atomic step. Keys are
 * numbers that ascend, so that every entry is new and none that was read is written again.
 *
 * <p>Writers use it from many threads; {@link #read}, {@link #remove} and {@link #isEmpty} are for
 * the follower alone.
 */
final class ChangeLog {
  /** Above all numbers, below all other keys of the table. */
  private static final byte[] END = {0x40};

  /** One entry, and what it says. */
  record Logged(long number, List<Change> changes) {}

  private final Side side;
  private final EngineTable table;
  private final AtomicLong next;

  /** Numbers of writes that failed: nobody waits for their entries. */
  private final Set<Long> abandoned = ConcurrentHashMap.newKeySet();

  /** Entries that were written ahead of what they announce, which goes on. */
  private final Set<Long> ahead = ConcurrentHashMap.newKeySet();

  /** The lowest number that may still be written: scans begin here, not among what was removed. */
  private volatile long floor;

  /** Numbers above the floor whose entries are gone. */
  private final Set<Long> removed = new HashSet<>();

  /** The first number of this process: what is not there below it does not come any more. */
  private final long first;

  ChangeLog(Side side) {
    this.side = side;
    this.table = side.log();
    this.first = last() + 1;
    this.next = new AtomicLong(first);
  }

  private long last() {
    return side.call(() -> {
      try (EngineCursor cursor = side.store.cursor(table, entries(0).reverse().limit(1))) {
        return cursor.next() ? number(cursor.key()) : 0;
      }
    });
  }

  private static Range<byte[]> entries(long from) {
    return Range.<byte[]>all().from(key(from), true).to(END, false);
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static long number(byte[] key) {
    return ByteBuffer.wrap(key).getLong();
  }

  /** How many entries there are, about. */
  long pending() {
    return Math.max(0, next.get() - floor);
  }

  /** The number of the next write; all that was written has lower ones. */
  long nextNumber() {
    return next.get();
  }

  /** All that has a lower number was applied. */
  long floor() {
    return floor;
  }

  /** Writes to the log what a write changes. */
  interface Writer {
    void put(byte[] key, byte[] value) throws Exception;
  }

  /** Writes changes with what they are about, in one atomic step. */
  <R> R with(List<Change> changes, Writer writer, EngineCall<R> step) throws Exception {
    List<byte[]> values = Change.encode(changes);
    long number = next.getAndAdd(values.size());
    boolean done = false;
    try {
      for (int i = 0; i < values.size(); i++) {
        writer.put(key(number + i), values.get(i));
      }
      R result = step.run();
      done = true;
      return result;
    } finally {
      if (!done) {
        for (int i = 0; i < values.size(); i++) {
          abandoned.add(number + i);
        }
      }
    }
  }

  /** Writes several changes in one batch, with their log. */
  void write(List<Write<EngineTable>> writes, List<Change> changes) throws Exception {
    Boolean _ =
        with(
            changes,
            (key, value) -> writes.add(new Write<>(table, key, value)),
            () -> {
              side.store.write(writes);
              return true;
            });
  }

  EngineTable table() {
    return table;
  }

  /**
   * Makes a change that cannot be in one batch with its log: the log says it before, is on disk
   * before, and is not read until it is done.
   *
   * @param change the most that it can be
   * @param then what it was in the end, asked for afterwards; {@code null} for the same
   */
  <R> R ahead(Change change, EngineCall<R> step, @Nullable EngineCall<Change> then)
      throws Exception {
    long number = next.getAndIncrement();
    ahead.add(number);
    boolean written = false;
    try {
      side.store.put(table, key(number), Change.encode(List.of(change)).getFirst());
      written = true;
      side.store.sync();
      R result = step.run();
      if (then != null) {
        side.store.put(table, key(number), Change.encode(List.of(then.run())).getFirst());
      }
      return result;
    } finally {
      if (!written) {
        abandoned.add(number);
      }
      ahead.remove(number);
    }
  }

  /** Up to so many entries, the oldest first; later ones may come before these. */
  List<Logged> read(int max) {
    Set<Long> gone = new HashSet<>(abandoned); // before the scan, which then sees what they left
    List<Logged> logged = new ArrayList<>();
    long[] seen = {first, Long.MAX_VALUE}; // the lowest one, and how far the scan came
    side.run(() -> {
      try (EngineCursor cursor = side.store.cursor(table, entries(floor))) {
        while (cursor.next()) {
          long number = number(cursor.key());
          seen[0] = Math.min(seen[0], number);
          gone.remove(number);
          if (logged.size() == max) {
            seen[1] = number;
            break;
          }
          if (!ahead.contains(number)) {
            logged.add(new Logged(number, Change.decode(cursor.value())));
          }
        }
      }
    });
    gone.stream().filter(number -> number < seen[1]).forEach(removed::add);
    floor = Math.max(floor, seen[0]);
    raiseFloor();
    return logged;
  }

  /** Removes entries that were applied. */
  void remove(List<Logged> logged) {
    side.write(logged.stream().map(entry -> new Write<>(table, key(entry.number), null)).toList());
    logged.stream().map(Logged::number).filter(number -> number >= first).forEach(removed::add);
    raiseFloor();
  }

  private void raiseFloor() {
    long now = floor;
    while (removed.remove(now)) {
      abandoned.remove(now);
      now++;
    }
    floor = now;
  }

  /** Whether there is none; asked while nobody writes. */
  boolean isEmpty() {
    return ahead.isEmpty() && read(1).isEmpty();
  }
}
