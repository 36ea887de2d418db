package io.kvstadium.bench.measure.source;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.internal.open.Stores;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.Outcome;
import io.kvstadium.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A trace made ready to be replayed: which entries there must be before, and what each thread does.
 *
 * <p>The order of calls is exact for each thread and for each key: a call that follows another
 * thread's call on the same key waits for its end, unless both only read. A scan waits for what
 * threads that write had ended before it began. Calls are in the order in which they ended, so that
 * no two wait for one another.
 */
public final class ReplayTrace {
  /** More operations are left out; they take about 40 bytes each. */
  public static final int MAX_OPERATIONS = 8_000_000;

  /** Recorded threads beyond this many share one. */
  static final int MAX_LANES = 64;

  static final int ABSENT = -2;
  private static final int UNKNOWN = -1;

  private final List<String> tables = new ArrayList<>();
  private final Map<String, Integer> tableNumbers = new HashMap<>();
  private final Map<Key, Integer> numbers = new HashMap<>();
  private final List<Key> keys = new ArrayList<>();
  private int[] starts = new int[1024];
  private final List<Lane> lanes = new ArrayList<>();
  private final Map<Kind, Long> skipped = new LinkedHashMap<>();
  private final Set<Capability> needs = EnumSet.noneOf(Capability.class);
  private long first = Long.MAX_VALUE;
  private long last;
  private long calls;
  private long operations;
  private boolean truncated;
  private int usual = 100;
  private long longest;

  /** A key of a table. */
  @SuppressWarnings("ArrayRecordComponent") // equality is that of the bytes
  record Key(int table, byte[] bytes) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && table == key.table && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(bytes) + table;
    }
  }

  private ReplayTrace() {}

  /**
   * Reads a file.
   *
   * @throws BadArgumentException if it cannot be read, or has no operation to replay
   */
  public static ReplayTrace read(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new BadArgumentException("there is no trace " + file + ": check the name");
    }
    ReplayTrace trace = new ReplayTrace();
    try (TraceReader reader = new TraceReader(Files.newInputStream(file))) {
      trace.new Builder().read(reader);
    } catch (CorruptException e) {
      throw new BadArgumentException(file + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new BadArgumentException("cannot read " + file + " (" + e + ")", e);
    }
    if (trace.calls == 0) {
      throw new BadArgumentException(file + " has no operation that could be replayed");
    }
    return trace;
  }

  /** Builds the lanes. */
  private final class Builder {
    /** By key: the lane and call that wrote it last, and the chain of those that read it since. */
    private long[] writers = new long[1024];

    private int[] readers = new int[1024];
    private long[] reads = new long[1024];
    private int[] nextRead = new int[1024];
    private int readCount = 1; // 0 ends a chain

    private final Map<Integer, Open> open = new HashMap<>();
    private long[] waits = new long[MAX_LANES];
    private long barrier;
    private final long[] passed = new long[MAX_LANES];
    private long lengthSum;
    private long lengthCount;

    /** Operations of a thread that are one call. */
    private static final class Open {
      final List<Operation> operations = new ArrayList<>();
      final long begin;
      final boolean transaction;

      Open(long begin, boolean transaction) {
        this.begin = begin;
        this.transaction = transaction;
      }
    }

    void read(TraceReader reader) throws IOException {
      for (long left = TraceParts.before(reader.header()); left > 0; left--) {
        Operation entry = reader.next();
        if (entry == null) {
          break;
        }
        int number = key(entry); // which may make another array
        longest = Math.max(longest, entry.length());
        starts[number] = Math.clamp(entry.length(), UNKNOWN, Integer.MAX_VALUE - 8);
      }
      for (Operation next = reader.next(); next != null; next = reader.next()) {
        if (operations >= MAX_OPERATIONS) {
          truncated = true;
          break;
        }
        take(next);
      }
      closeAll();
      usual = lengthCount == 0 ? usual : (int) Math.max(1, lengthSum / lengthCount);
      if (tables.size() > 1) {
        needs.add(Capability.TABLES);
      }
    }

    private void take(Operation next) {
      Open within = open.get(next.thread());
      switch (next.kind()) {
        case LOST -> closeAll();
        case COMPRESSED, VALUE -> {}
        case BEGIN -> open.put(next.thread(), new Open(next.begin(), true));
        case BATCH -> {
          if (within == null) {
            open.put(next.thread(), new Open(Long.MAX_VALUE, false));
          }
        }
        case BATCH_END -> {
          if (within != null && !within.transaction) {
            open.remove(next.thread());
            end(next, within, type(within));
          }
        }
        case COMMIT, ROLLBACK -> {
          if (within != null) {
            open.remove(next.thread());
            boolean done = next.kind() == Kind.COMMIT && next.outcome() == Outcome.OK;
            end(next, within, done ? Lane.Type.TRANSACTION : Lane.Type.ROLLED_BACK);
          }
        }
        default -> {
          boolean failed = next.outcome() == Outcome.FAILED || next.outcome() == Outcome.CONFLICT;
          if (failed || next.kind() == Kind.EXPIRE) {
            skipped.merge(next.kind(), 1L, Long::sum);
          } else if (within != null) {
            within.operations.add(next);
          } else {
            call(next.thread(), next.begin(), next.time(), List.of(next), Lane.Type.SINGLE);
          }
        }
      }
    }

    private static Lane.Type type(Open within) {
      long gets = within.operations.stream().filter(each -> each.kind() == Kind.GET).count();
      return gets == 0
          ? Lane.Type.BATCH
          : gets == within.operations.size() ? Lane.Type.MULTI_GET : Lane.Type.IN_TURN;
    }

    private void end(Operation bound, Open within, Lane.Type type) {
      if (!within.operations.isEmpty()) {
        long begin = Math.min(within.begin, bound.begin());
        call(bound.thread(), begin, bound.time(), within.operations, type);
      }
    }

    /** What has no end is replayed one by one. */
    private void closeAll() {
      open.forEach((thread, within) ->
          within.operations.forEach(
              each -> call(thread, each.begin(), each.time(), List.of(each), Lane.Type.SINGLE)));
      open.clear();
    }

    private void call(int thread, long begin, long end, List<Operation> all, Lane.Type type) {
      int number = thread % MAX_LANES;
      while (lanes.size() <= number) {
        lanes.add(new Lane());
      }
      Lane lane = lanes.get(number);
      int count = 0;
      if (barrier != 0 && passed[number] != barrier) {
        passed[number] = barrier;
        count = await(number, barrier, count);
      }
      boolean clears = false;
      for (Operation each : all) {
        note(each);
        if (each.kind().isRange() || each.kind() == Kind.CLEAR) {
          clears |= each.kind() != Kind.SCAN;
          lane.add(each, 0, extent(each));
        } else if (each.key() == null) {
          lane.add(each, 0, null);
        } else {
          int key = key(each);
          count = awaitUsers(number, key, !each.kind().reads(), count);
          lane.add(each, key, null);
        }
      }
      if (clears) {
        for (int other = 0; other < lanes.size(); other++) {
          count = await(number, place(other, lanes.get(other).calls()), count);
        }
      }
      long due = begin;
      for (int wait = 0; wait < count; wait++) {
        Lane other = lanes.get((int) (waits[wait] >> 32));
        due = Math.max(due, other.end((int) waits[wait] - 1));
      }
      last = Math.max(last, end);
      lane.call(type, due, last, waits, count);
      long own = place(number, lane.calls());
      if (clears) {
        barrier = own;
        passed[number] = own;
      }
      for (Operation each : all) {
        if (each.key() != null && !each.kind().isRange()) {
          used(numbers.getOrDefault(keyOf(each), 0), own, !each.kind().reads());
        }
      }
      first = Math.min(first, begin);
      calls++;
      operations += all.size();
      if (type == Lane.Type.TRANSACTION || type == Lane.Type.ROLLED_BACK) {
        needs.add(Capability.TRANSACTION);
      } else if (type == Lane.Type.BATCH) {
        needs.add(Capability.BATCH);
        if (clears) {
          needs.add(Capability.RANGE_DELETE);
        }
      }
    }

    /** A lane and how many of its calls have ended. */
    private static long place(int lane, int ended) {
      return (long) lane << 32 | ended;
    }

    private int await(int own, long place, int count) {
      int lane = (int) (place >> 32);
      if ((int) place == 0 || lane == own) {
        return count;
      }
      for (int i = 0; i < count; i++) {
        if ((int) (waits[i] >> 32) == lane) {
          waits[i] = Math.max(waits[i], place);
          return count;
        }
      }
      waits[count] = place; // at most one for each lane
      return count + 1;
    }

    private int awaitUsers(int own, int key, boolean writes, int count) {
      int all = await(own, writers[key], count);
      for (int read = writes ? readers[key] : 0; read != 0; read = nextRead[read]) {
        all = await(own, reads[read], all);
      }
      return all;
    }

    private void used(int key, long place, boolean writes) {
      if (writes) {
        writers[key] = place;
        readers[key] = 0;
        return;
      }
      int head = readers[key];
      if (head != 0 && reads[head] >> 32 == place >> 32) {
        reads[head] = place;
        return;
      }
      if (readCount == reads.length) {
        reads = Arrays.copyOf(reads, 2 * readCount);
        nextRead = Arrays.copyOf(nextRead, 2 * readCount);
      }
      reads[readCount] = place;
      nextRead[readCount] = head;
      readers[key] = readCount++;
    }

    /** What an operation needs, and the length of what it wrote. */
    private void note(Operation operation) {
      if (operation.kind() != Kind.SCAN && !operation.kind().reads()) {
        needs.add(Capability.WRITE);
      }
      if (operation.kind().isRange()) {
        boolean bounded = operation.key() != null || operation.to() != null;
        needs.add(
            bounded || (operation.flags() & Operation.REVERSED) != 0
                ? Capability.ORDERED_SCAN
                : Capability.SCAN);
      } else if (operation.kind() == Kind.CLEAR) {
        needs.add(Capability.SCAN);
      } else if (operation.key() != null && operation.length() > 0) {
        lengthSum += operation.length();
        lengthCount++;
        longest = Math.max(longest, operation.length());
      }
    }

    private int table(String name) {
      return tableNumbers.computeIfAbsent(
          name,
          _ -> {
            tables.add(name);
            return tables.size() - 1;
          });
    }

    private Key keyOf(Operation operation) {
      byte[] key = operation.key();
      return new Key(table(operation.table()), key == null ? new byte[0] : key);
    }

    private int key(Operation operation) {
      Key key = keyOf(operation);
      Integer known = numbers.get(key);
      if (known != null) {
        return known;
      }
      int number = keys.size();
      keys.add(key);
      numbers.put(key, number);
      if (number == starts.length) {
        starts = Arrays.copyOf(starts, 2 * number);
        writers = Arrays.copyOf(writers, 2 * number);
        readers = Arrays.copyOf(readers, 2 * number);
      }
      starts[number] = start(operation);
      return number;
    }

    private Lane.Extent extent(Operation operation) {
      return new Lane.Extent(table(operation.table()), range(operation), operation.count());
    }
  }

  /** The range of a scan or removal. */
  static Range<byte[]> range(Operation operation) {
    byte[] from = operation.key();
    byte[] to = operation.to();
    int flags = operation.flags();
    Range<byte[]> range = Range.all();
    if (from != null) {
      range = range.from(from, (flags & Operation.FROM_EXCLUSIVE) == 0);
    }
    if (to != null) {
      range = range.to(to, (flags & Operation.TO_INCLUSIVE) != 0);
    }
    if ((flags & Operation.REVERSED) != 0) {
      range = range.reverse();
    }
    if ((flags & Operation.KEYS_ONLY) != 0) {
      range = range.keysOnly();
    }
    if (operation.kind() == Kind.SCAN && operation.limit() >= 0) {
      range = range.limit(operation.limit());
    }
    return range;
  }

  /**
   * What the first operation on a key says of the entry before it: its length, or that it is not
   * there.
   */
  static int start(Operation operation) {
    boolean found = operation.outcome() == Outcome.OK || operation.outcome() == Outcome.UNKNOWN;
    return switch (operation.kind()) {
      case GET -> found ? (int) Math.max(UNKNOWN, operation.length()) : ABSENT;
      case CONTAINS, DELETE_IF -> found ? UNKNOWN : ABSENT;
      default -> ABSENT;
    };
  }

  /** The names of the tables. */
  public List<String> tables() {
    return tables;
  }

  /** The name under which a store has a table: its own one, or one that names it if it can. */
  public String stored(int table) {
    String name = tables.get(table);
    if (tables.size() == 1 || name.isEmpty()) {
      return Store.DEFAULT_TABLE;
    }
    return Stores.isTableName(name) ? name : "table-" + table;
  }

  public List<Lane> lanes() {
    return lanes;
  }

  public byte[] key(int number) {
    return keys.get(number).bytes();
  }

  public int tableOf(int key) {
    return keys.get(key).table();
  }

  public int keyHash(int number) {
    return keys.get(number).hashCode();
  }

  /** The keys of a table that are there before, in their order. */
  public int[] starts(int table) {
    return IntStream.range(0, keys.size())
        .filter(key -> starts[key] != ABSENT && keys.get(key).table() == table)
        .boxed()
        .sorted((a, b) -> Arrays.compareUnsigned(key(a), key(b)))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** The length of a value, or the usual one if the trace does not say. */
  public int length(int recorded) {
    return recorded == UNKNOWN ? usual : recorded;
  }

  /** The length of an entry's value before. */
  public int startLength(int key) {
    return length(starts[key]);
  }

  /** When the first call began, on the clock of the trace. */
  public long first() {
    return first;
  }

  /** How many calls there are: a batch, a transaction and a get of several keys are one each. */
  public long calls() {
    return calls;
  }

  /** How many operations there are, with those inside of calls. */
  public long operations() {
    return operations;
  }

  /** How many entries there are before. */
  public long startEntries() {
    return IntStream.range(0, keys.size()).filter(key -> starts[key] != ABSENT).count();
  }

  /** How many different keys there are. */
  public long keys() {
    return keys.size();
  }

  /** The mean length of keys. */
  public long meanKey() {
    return Math.round(keys.stream().mapToInt(key -> key.bytes().length).average().orElse(1));
  }

  /** The mean length of values. */
  public int meanValue() {
    return usual;
  }

  /** The longest value that the trace names. */
  public long longestValue() {
    return longest;
  }

  /** How many seconds it took when it was recorded. */
  public double seconds() {
    return Math.max(1, last - first) / 1e9;
  }

  /** How many threads there are. */
  public int threads() {
    return lanes.size();
  }

  /** How many threads that all do as much as each other this is: by the sum of squared shares. */
  public int busyThreads() {
    double squares = 0;
    for (Lane lane : lanes) {
      squares += Math.pow((double) lane.calls() / calls, 2);
    }
    return (int) Math.round(1 / squares);
  }

  /** What a store must be able to do. */
  public List<Capability> needs() {
    return List.copyOf(needs);
  }

  /** Operations that are not replayed: those that failed, and changes of an expiry alone. */
  public Map<Kind, Long> skipped() {
    return skipped;
  }

  /** Whether only the first {@link #MAX_OPERATIONS} are replayed. */
  public boolean isTruncated() {
    return truncated;
  }
}
