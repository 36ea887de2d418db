package io.kvstadium.trace.stat;

import io.kvstadium.trace.KeyHash;
import io.kvstadium.trace.Kind;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.Outcome;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Collects what {@code stadium trace stat} shows, in some 50 MB whatever the trace. */
public final class TraceStatistics {
  private static final int MAX_KEYS = 1 << 15;
  private static final int MAX_TABLES = 1000;

  /** The operations of one kind. */
  public static final class OfKind {
    private long count;
    private long misses;
    private long failed;
    private long inBatches;
    private final Distribution durations = new Distribution();

    public long count() {
      return count;
    }

    /** Which had the outcome {@link Outcome#MISS}. */
    public long misses() {
      return misses;
    }

    /** Which failed, or lost to others. */
    public long failed() {
      return failed;
    }

    /** In nanoseconds, without the parts of batches. */
    public Distribution durations() {
      return durations;
    }

    /** Whether {@link #durations} are known of a tenth of them at least. */
    public boolean isTimed() {
      return durations.max() > 0 && inBatches <= count * 9 / 10;
    }
  }

  /** A table's name and its operations with a key. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record HotKey(String table, byte[] key, double share) {}

  private final Map<Kind, OfKind> kinds = new EnumMap<>(Kind.class);
  private final Map<String, Long> tables = new TreeMap<>();
  private final Map<String, Long> seeds = new HashMap<>();
  private final Map<Integer, Integer> openBatches = new HashMap<>();
  private final BitSet threads = new BitSet();
  private final Rates reads = new Rates();
  private final Rates writes = new Rates();
  private final Distribution keyBytes = new Distribution();
  private final Distribution written = new Distribution();
  private final Distribution scanned = new Distribution();
  private final Distribution batches = new Distribution();
  private final ReuseDistances reuse = new ReuseDistances(MAX_KEYS);
  private final DistinctKeys distinct = new DistinctKeys(MAX_KEYS);
  private final Popularity popularity = new Popularity(MAX_KEYS);
  private long operations;
  private long keyOperations;
  private long readsKnown;
  private long hits;
  private long raw;
  private long compressed;
  private long last;

  /** Takes the next operation of the trace. */
  public void add(Operation operation) {
    Kind kind = operation.kind();
    if (kind == Kind.LOST) {
      openBatches.clear();
      return;
    }
    if (kind == Kind.VALUE) {
      return;
    }
    if (kind == Kind.COMPRESSED) {
      raw += operation.length();
      compressed += operation.count();
      return;
    }
    operations++;
    last = Math.max(last, operation.time());
    if (operation.thread() < 1 << 20) {
      threads.set(operation.thread());
    }
    Integer batch = openBatches.get(operation.thread());
    OfKind of = kinds.computeIfAbsent(kind, _ -> new OfKind());
    of.count++;
    switch (operation.outcome()) {
      case MISS -> of.misses++;
      case FAILED, CONFLICT -> of.failed++;
      default -> {}
    }
    if (batch == null || kind == Kind.BATCH_END) {
      of.durations.add(operation.duration());
    } else { // parts have no times of their own
      of.inBatches++;
    }
    if (!operation.table().isEmpty()
        && (tables.size() < MAX_TABLES || tables.containsKey(operation.table()))) {
      tables.merge(operation.table(), 1L, Long::sum);
    }
    if (kind == Kind.BATCH) {
      openBatches.put(operation.thread(), 0);
    } else if (kind == Kind.BATCH_END) {
      openBatches.remove(operation.thread());
      if (batch != null) {
        batches.add(batch);
      }
    } else if (batch != null) {
      openBatches.put(operation.thread(), batch + 1);
    }
    if (kind.reads() || kind == Kind.SCAN) {
      reads.add(operation.time());
    } else if (kind.writes() || kind.isRange()) {
      writes.add(operation.time());
    }
    if (kind == Kind.SCAN && operation.count() >= 0) {
      scanned.add(operation.count());
    }
    byte[] key = operation.key();
    if (key != null && !kind.isRange()) {
      addKey(operation, key);
    }
  }

  private void addKey(Operation operation, byte[] key) {
    keyOperations++;
    keyBytes.add(key.length);
    long hash = KeyHash.of(seeds.computeIfAbsent(operation.table(), KeyHash::seed), key);
    distinct.add(hash);
    popularity.add(hash, operation.table(), key);
    boolean missed = operation.outcome() == Outcome.MISS;
    long bytes = key.length + Math.max(0, operation.length());
    switch (operation.kind()) {
      case GET, CONTAINS -> {
        if (operation.outcome() == Outcome.OK || missed) {
          readsKnown++;
          hits += missed ? 0 : 1;
        }
        if (!missed) {
          reuse.read(hash, key.length, operation.length(), operation.time());
        }
      }
      case PUT, PUT_EXPIRING, PUT_IF -> {
        if (!missed) {
          written.add(operation.length());
          reuse.write(hash, bytes, operation.time());
        }
      }
      case DELETE, DELETE_IF -> {
        if (!missed) {
          reuse.remove(hash);
        }
      }
      default -> {}
    }
  }

  /** Without those that are missing. */
  public long operations() {
    return operations;
  }

  /** The time of the last operation, in nanoseconds. */
  public long nanoseconds() {
    return last;
  }

  public int threads() {
    return threads.cardinality();
  }

  public Map<Kind, OfKind> kinds() {
    return kinds;
  }

  /** Operations by table. */
  public Map<String, Long> tables() {
    return tables;
  }

  /** Reads per second over time, in at most 54 intervals. */
  public double[] readRates() {
    return reads.perSecond(last);
  }

  /** Writes per second over time. */
  public double[] writeRates() {
    return writes.perSecond(last);
  }

  /** Lengths of keys. */
  public Distribution keyBytes() {
    return keyBytes;
  }

  /** Lengths of values that were put. */
  public Distribution valueBytes() {
    return written;
  }

  /** What values took after compression, as a share; NaN if none was tried. */
  public double compression() {
    return raw == 0 ? Double.NaN : (double) compressed / raw;
  }

  /** Entries that a scan read. */
  public Distribution scanned() {
    return scanned;
  }

  /** Operations in a batch. */
  public Distribution batches() {
    return batches;
  }

  /** The share of reads that found their key; NaN if none is known to. */
  public double hitRatio() {
    return readsKnown == 0 ? Double.NaN : (double) hits / readsKnown;
  }

  /**
   * How many different keys were named, whatever was done with them; estimated if there are many.
   */
  public long distinctKeys() {
    return distinct.count();
  }

  /** The exponent of the Zipf distribution that fits best and R²; {@code null} if unknown. */
  public double @Nullable [] zipf() {
    return popularity.zipf();
  }

  /** The share of operations that the most used keys have. */
  public double shareOfHottest(int keys) {
    return popularity.share(keys);
  }

  /** The most used keys, with their shares of all operations on keys. */
  public List<HotKey> hottest(int number) {
    return popularity.hottest(number).stream()
        .map(key -> new HotKey(key.table(), key.key(), (double) key.uses() / keyOperations))
        .toList();
  }

  /** Whether keys were read again. */
  public boolean hasRepeatedReads() {
    return reuse.hasRepeatedReads();
  }

  /** From how many bytes of entries this share of the repeated reads comes. */
  public long bytesFor(double share) {
    return reuse.bytesFor(share);
  }

  /** The share of hits that are the first use of their key in the trace. */
  public double firstReadShare() {
    return reuse.firstReadShare();
  }

  /**
   * The share of hits by the time since their entry was written: below 1 s, 10 s, 1 minute, 10
   * minutes, 1 hour, more, before the recording.
   */
  public double[] ages() {
    return reuse.ages();
  }
}
