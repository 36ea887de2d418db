package io.kvstadium.bench.measure.source;

import io.kvstadium.store.Range;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one recorded thread, or of a few, in their order: arrays, since there are millions.
 */
public final class Lane {
  /** What a call is. */
  public enum Type {
    SINGLE,
    BATCH,
    MULTI_GET,
    /** A get and then a put, say: several operations that are not atomic. */
    IN_TURN,
    TRANSACTION,
    ROLLED_BACK
  }

  /** What a scan or the removal of a range has in addition. */
  public record Extent(int table, Range<byte[]> range, long count) {}

  private static final Type[] TYPES = Type.values();

  private int calls;
  private int[] first = new int[1024];
  private long[] begins = new long[1024];
  private long[] ends = new long[1024];
  private byte[] types = new byte[1024];
  private int[] firstWait = new int[1024];

  private int operations;
  private byte[] kinds = new byte[1024];
  private byte[] outcomes = new byte[1024];
  private int[] keys = new int[1024];
  private int[] lengths = new int[1024];

  private boolean writes;
  private int waits;
  private long[] awaited = new long[64];

  private final List<Extent> extents = new ArrayList<>();

  /** Adds a call; {@link #add} adds its operations before. */
  @SuppressWarnings("EnumOrdinal") // a byte for each of millions, and only in memory
  void call(Type type, long begin, long end, long[] waitFor, int waitCount) {
    if (calls + 1 >= first.length) {
      first = Arrays.copyOf(first, 2 * first.length);
      begins = Arrays.copyOf(begins, 2 * begins.length);
      ends = Arrays.copyOf(ends, 2 * ends.length);
      types = Arrays.copyOf(types, 2 * types.length);
      firstWait = Arrays.copyOf(firstWait, 2 * firstWait.length);
    }
    begins[calls] = begin;
    ends[calls] = end;
    types[calls] = (byte) type.ordinal();
    for (int i = 0; i < waitCount; i++) {
      if (waits == awaited.length) {
        awaited = Arrays.copyOf(awaited, 2 * awaited.length);
      }
      awaited[waits++] = waitFor[i];
    }
    calls++;
    first[calls] = operations;
    firstWait[calls] = waits;
  }

  /**
   * Adds an operation.
   *
   * @param key the number of its key, or of a table
   * @param extent of a range, or {@code null}
   */
  void add(Operation operation, int key, @Nullable Extent extent) {
    if (operations == kinds.length) {
      kinds = Arrays.copyOf(kinds, 2 * kinds.length);
      outcomes = Arrays.copyOf(outcomes, 2 * outcomes.length);
      keys = Arrays.copyOf(keys, 2 * keys.length);
      lengths = Arrays.copyOf(lengths, 2 * lengths.length);
    }
    kinds[operations] = (byte) operation.kind().code();
    outcomes[operations] = (byte) operation.outcome().code();
    keys[operations] = extent == null ? key : extents.size();
    lengths[operations] = (int) Math.min(operation.length(), Integer.MAX_VALUE - 8);
    Kind kind = operation.kind();
    writes |= kind.writes() || (kind.isRange() && kind != Kind.SCAN) || kind == Kind.CLEAR;
    if (extent != null) {
      extents.add(extent);
    }
    operations++;
  }

  public int calls() {
    return calls;
  }

  /** The first operation of a call; the call after the last one has it too. */
  public int first(int call) {
    return first[call];
  }

  /** When it ended, on the clock of the trace, and not before any call that is ahead of it. */
  public long end(int call) {
    return ends[call];
  }

  /** Whether any of its calls writes. */
  public boolean writes() {
    return writes;
  }

  /** How many of its calls ended before a moment, on the clock of the trace. */
  public int endedBefore(long moment) {
    int low = 0;
    for (int high = calls; low < high; ) {
      int middle = (low + high) >>> 1;
      if (ends[middle] < moment) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * When it began, on the clock of the trace, but not before those ended that it waits for: calls
   * of several threads on a key overlap.
   */
  public long begin(int call) {
    return begins[call];
  }

  public Type type(int call) {
    return TYPES[types[call]];
  }

  public int firstWait(int call) {
    return firstWait[call];
  }

  /** A lane, and below 32 bits how many of its calls must have ended. */
  public long awaited(int wait) {
    return awaited[wait];
  }

  public int kind(int operation) {
    return kinds[operation];
  }

  public int outcome(int operation) {
    return outcomes[operation];
  }

  public int key(int operation) {
    return keys[operation];
  }

  public int length(int operation) {
    return lengths[operation];
  }

  public Extent extent(int operation) {
    return extents.get(keys[operation]);
  }
}
