package io.kvstadium.bench.measure.source;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Range;
import io.kvstadium.trace.KeyHash;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.Outcome;
import io.kvstadium.trace.TraceReader;
import io.kvstadium.trace.TraceWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a trace into parts that are traces of their own: a stretch of time, on all keys or a sample
 * of them. What was there when the stretch began comes first.
 */
public final class TraceParts {
  /**
   * In the header: how many puts, the first operations of the file, are what was there before, and
   * no calls.
   */
  private static final String BEFORE = "before";

  private static final int STEP = 256;

  private final Path file;
  private final Map<String, Integer> tables = new HashMap<>();
  private final Map<ReplayTrace.Key, Integer> starts = new HashMap<>();
  private final List<Long> times = new ArrayList<>(); // of each operation whose number is a STEP
  private final Map<String, String> header;
  private long operations;
  private long recorded;
  private long keys;
  private long bytes;
  private long gets;
  private long misses;
  private long scans;
  private long writes;

  /**
   * A part.
   *
   * @param from the number of its first operation, from 0
   * @param to the number after that of its last
   * @param oneOf one of how many keys is in it, with all its operations
   * @param lessReads the share of gets that are left out of it, but no key's first operation
   */
  public record Part(long from, long to, int oneOf, double lessReads) {}

  /**
   * Reads a trace once.
   *
   * @throws BadArgumentException if it cannot be read, or is empty
   */
  public TraceParts(Path file) {
    this.file = file;
    Map<ReplayTrace.Key, Long> lengths = new HashMap<>();
    try (TraceReader reader = open()) {
      header = reader.header();
      for (Operation next = reader.next();
          next != null && operations < ReplayTrace.MAX_OPERATIONS;
          next = reader.next()) {
        if (operations++ % STEP == 0) {
          times.add(next.time());
        }
        count(next);
        byte[] key = next.key();
        if (key != null && !next.kind().isRange() && isDone(next)) {
          starts.putIfAbsent(key(next.table(), key), ReplayTrace.start(next));
          lengths.merge(key(next.table(), key), next.length(), Math::max);
        }
      }
    } catch (CorruptException e) {
      throw new BadArgumentException(file + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new BadArgumentException("cannot read " + file + " (" + e + ")", e);
    }
    if (lengths.isEmpty()) {
      throw new BadArgumentException(file + " has no operation that could be replayed");
    }
    keys = lengths.size();
    lengths.forEach((key, length) -> bytes += key.bytes().length + Math.max(0, length));
    starts.values().removeIf(length -> length == ReplayTrace.ABSENT);
  }

  /** How many puts of a file with this header are what was there before. */
  public static long before(Map<String, String> header) {
    String before = header.getOrDefault(BEFORE, "0");
    return before.matches("\\d{1,9}") ? Long.parseLong(before) : 0;
  }

  private void count(Operation operation) {
    recorded +=
        switch (operation.kind()) {
          case LOST, VALUE, COMPRESSED -> 0;
          default -> 1;
        };
    switch (operation.kind()) {
      case GET -> {
        gets++;
        misses += operation.outcome() == Outcome.MISS ? 1 : 0;
      }
      case SCAN -> scans++;
      default -> writes += operation.kind().writes() ? 1 : 0;
    }
  }

  private TraceReader open() throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new BadArgumentException("there is no trace " + file + ": check the name");
    }
    return new TraceReader(Files.newInputStream(file));
  }

  private ReplayTrace.Key key(String table, byte[] key) {
    return new ReplayTrace.Key(tables.computeIfAbsent(table, _ -> tables.size()), key);
  }

  private static boolean isDone(Operation operation) {
    return operation.outcome() != Outcome.FAILED && operation.outcome() != Outcome.CONFLICT;
  }

  /** What the recorder knew: see {@link TraceReader#header}. */
  public Map<String, String> header() {
    return header;
  }

  /** How many operations were recorded, as {@code trace stat} counts them. */
  public long recorded() {
    return recorded;
  }

  /** How many records there are: operations, and what else stands among them. */
  public long operations() {
    return operations;
  }

  /** How many different keys there are. */
  public long keys() {
    return keys;
  }

  /** The bytes of all keys and their values. */
  public long bytes() {
    return bytes;
  }

  /** What the operations are, in words. */
  public String mix() {
    long all = Math.max(1, gets + scans + writes);
    return "%d %% gets, of which %d %% miss, %d %% scans, %d %% writes"
        .formatted(
            100 * gets / all,
            100 * misses / Math.max(1, gets),
            100 * scans / all,
            100 * writes / all);
  }

  /** The stretch with this share of the operations from one to another that took least time. */
  public Part busiest(long from, long to, double share) {
    int first = (int) (from / STEP);
    int last = (int) Math.min(to / STEP, times.size() - 1L);
    int width = Math.max(1, (int) ((last - first) * share));
    int best = first;
    for (int at = first; at + width <= last; at++) {
      if (times.get(at + width) - times.get(at) < times.get(best + width) - times.get(best)) {
        best = at;
      }
    }
    return best + width > last
        ? new Part(from, to, 1, 0)
        : new Part((long) best * STEP, (long) (best + width) * STEP, 1, 0);
  }

  /** Writes a part as a trace. */
  public void write(Part part, Path to) {
    try (TraceReader reader = open()) {
      Map<ReplayTrace.Key, Long> present = new HashMap<>();
      starts.forEach((key, length) -> present.put(key, (long) length));
      History history = new History(present);
      long number = 0;
      Operation next = reader.next();
      while (next != null
          && (number < part.from || (history.isOpen() && number < part.from + STEP))) {
        history.take(next);
        next = reader.next();
        number++;
      }
      present.keySet().removeIf(key -> !isSampled(key, part));
      Map<String, String> facts =
          Map.of("program", "stadium advise", BEFORE, Integer.toString(present.size()));
      try (TraceWriter writer =
          TraceWriter.begin(
              new BufferedOutputStream(Files.newOutputStream(to), 1 << 16), facts, null)) {
        long begin = next == null ? 0 : next.begin();
        String[] names = new String[tables.size()];
        tables.forEach((name, index) -> names[index] = name);
        for (Map.Entry<ReplayTrace.Key, Long> entry : present.entrySet()) {
          ReplayTrace.Key key = entry.getKey();
          writer.append(
              Operation.of(
                  Kind.PUT,
                  Outcome.OK,
                  0,
                  names[key.table()],
                  key.bytes(),
                  begin,
                  0,
                  entry.getValue()));
        }
        Set<ReplayTrace.Key> seen = new HashSet<>();
        SplittableRandom random = new SplittableRandom(1);
        for (; next != null && number < part.to; next = reader.next(), number++) {
          Operation kept = kept(next, part, seen, random);
          if (kept != null) {
            writer.append(kept);
          }
        }
      }
    } catch (IOException e) {
      throw new BadArgumentException("cannot write a part of " + file + " (" + e + ")", e);
    }
  }

  private boolean isSampled(ReplayTrace.Key key, Part part) {
    return part.oneOf == 1 || KeyHash.of(key.table(), key.bytes()) % part.oneOf == 0;
  }

  private @Nullable Operation kept(
      Operation operation, Part part, Set<ReplayTrace.Key> seen, SplittableRandom random) {
    byte[] bytes = operation.key();
    ReplayTrace.Key key = bytes == null ? null : key(operation.table(), bytes);
    if (operation.kind() == Kind.SCAN && part.oneOf > 1) {
      boolean in = key == null ? random.nextInt(part.oneOf) == 0 : isSampled(key, part);
      return in ? sampled(operation) : null;
    } else if (key == null || operation.kind().isRange()) {
      return operation;
    } else if (!isSampled(key, part)) {
      return null;
    }
    boolean first = part.lessReads > 0 && seen.add(key);
    return operation.kind() == Kind.GET && !first && random.nextDouble() < part.lessReads
        ? null
        : operation;
  }

  /** As many entries as before, which is of a longer range; a bounded one may have fewer. */
  private static Operation sampled(Operation scan) {
    long limit = scan.count() < 0 ? scan.limit() : scan.count();
    return Operation.of(
            scan.kind(),
            scan.outcome(),
            scan.thread(),
            scan.table(),
            scan.key(),
            scan.time(),
            scan.duration(),
            -1)
        .upTo(scan.to(), limit, scan.flags());
  }

  /** What is there after some operations: keys with the lengths of their values. */
  private final class History {
    private final Map<ReplayTrace.Key, Long> present;
    private final Map<Integer, List<Operation>> open = new HashMap<>();

    History(Map<ReplayTrace.Key, Long> present) {
      this.present = present;
    }

    /** Whether a transaction has not ended. */
    boolean isOpen() {
      return !open.isEmpty();
    }

    void take(Operation next) {
      List<Operation> within = open.get(next.thread());
      switch (next.kind()) {
        case BEGIN -> open.put(next.thread(), new ArrayList<>());
        case COMMIT, ROLLBACK -> {
          open.remove(next.thread());
          if (within != null && next.kind() == Kind.COMMIT && next.outcome() == Outcome.OK) {
            within.forEach(this::apply);
          }
        }
        case LOST -> {
          open.values().forEach(each -> each.forEach(this::apply));
          open.clear();
        }
        default -> {
          if (within != null) {
            within.add(next);
          } else {
            apply(next);
          }
        }
      }
    }

    private void apply(Operation operation) {
      byte[] bytes = operation.key();
      int table = tables.getOrDefault(operation.table(), -1);
      boolean held = operation.outcome() != Outcome.MISS;
      if (!isDone(operation)) {
        return;
      }
      switch (operation.kind()) {
        case CLEAR -> present.keySet().removeIf(key -> key.table() == table);
        case DELETE_RANGE -> {
          Range<byte[]> range = ReplayTrace.range(operation);
          present.keySet().removeIf(key -> key.table() == table && range.contains(key.bytes()));
        }
        case PUT, PUT_EXPIRING, PUT_IF -> {
          if (bytes != null && held) {
            present.put(key(operation.table(), bytes), operation.length());
          }
        }
        case DELETE, DELETE_IF -> {
          if (bytes != null && held) {
            present.remove(key(operation.table(), bytes));
          }
        }
        default -> {}
      }
    }
  }
}
