package io.kvstadium.store.internal.move;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.Write;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * What was changed in the store that the application uses and is not in the other one yet: a hidden
 * table of the former, whose entries are written with each change in one atomic step. Keys are
 * numbers that ascend, so that every entry is new and none that was read is written again.
 *
 * <p>Writers use it from many threads; {@link #read} and {@link #remove} are for the follower.
 */
final class ChangeLog {
  /** Above all numbers, below all other keys of the table. */
  private static final byte[] END = {0x40};

  /** So many entries are read at once … */
  private static final int ENTRIES = 16_384;

  /** … or so many bytes of them. */
  private static final long BYTES = 4 << 20;

  private final Side side;
  private final EngineTable table;

  /** The numbers of steps that go on. Its monitor guards {@link #next}, too. */
  private final TreeSet<Long> running = new TreeSet<>();

  private long next;

  /** All that has a lower number was applied and removed. */
  private volatile long floor;

  /** Something that is written with entries of the log, in one atomic step. */
  interface Step {
    void run(List<Write<EngineTable>> entries) throws Exception;
  }

  /**
   * The oldest entries.
   *
   * @param end above the numbers that were looked at
   * @param isAll whether there were no more when it was read
   */
  record Part(List<Write<EngineTable>> removals, List<Change> changes, long end, boolean isAll) {}

  ChangeLog(Side side) {
    this.side = side;
    this.table = side.log();
    this.next = 1 + last();
  }

  private long last() {
    return side.call(() -> {
      Range<byte[]> newest = Range.lessThan(END).reverse().limit(1);
      try (EngineCursor cursor = side.store.cursor(table, newest)) {
        return cursor.next() ? number(cursor.key()) : 0;
      }
    });
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static long number(byte[] key) {
    return ByteBuffer.wrap(key).getLong();
  }

  /** The number of the next step; all that was written has lower ones. */
  long next() {
    synchronized (running) {
      return next;
    }
  }

  long floor() {
    return floor;
  }

  /** How many entries there are, about. */
  long pending() {
    return next() - Math.max(1, floor);
  }

  /** Below this number is what was written, or never will be. */
  private long end() {
    synchronized (running) {
      return running.isEmpty() ? next : running.first();
    }
  }

  /** Takes a step that makes these changes. What it wrote is not read before it has ended. */
  void with(List<Write<EngineTable>> changes, Step step) throws Exception {
    List<byte[]> values = Change.encode(changes);
    long number;
    synchronized (running) {
      number = next;
      next += values.size();
      running.add(number);
    }
    try {
      List<Write<EngineTable>> entries = new ArrayList<>(values.size());
      for (int i = 0; i < values.size(); i++) {
        entries.add(new Write<>(table, key(number + i), values.get(i)));
      }
      step.run(entries);
    } finally {
      synchronized (running) {
        running.remove(number);
      }
    }
  }

  /** The oldest entries, but for those of steps that go on, and later ones. */
  Part read() {
    long end = end(); // before the scan, which then sees what has a lower number
    return side.call(() -> {
      List<Write<EngineTable>> removals = new ArrayList<>();
      List<Change> changes = new ArrayList<>();
      long bytes = 0;
      Range<byte[]> range = Range.between(key(floor), key(end + 1)); // which is never empty
      try (EngineCursor cursor = side.store.cursor(table, range)) {
        while (cursor.next() && number(cursor.key()) < end) {
          byte[] value = cursor.value();
          removals.add(new Write<>(table, cursor.key(), null));
          changes.addAll(Change.decode(value));
          bytes += value.length;
          if (removals.size() == ENTRIES || bytes >= BYTES) {
            return new Part(removals, changes, number(cursor.key()) + 1, false);
          }
        }
      }
      return new Part(removals, changes, end, true);
    });
  }

  /** Removes entries that were applied. */
  void remove(Part part) {
    boolean atOnce =
        part.removals.size() > 1 && side.capabilities.contains(Capability.RANGE_DELETE);
    side.write(
        atOnce
            ? List.of(Write.delete(table, Range.between(key(floor), key(part.end))))
            : part.removals);
    floor = part.end;
  }
}
