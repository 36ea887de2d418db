package io.kvstadium.bench.data;

import io.kvstadium.bench.data.draw.Mixing;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Entry;
import io.kvstadium.transfer.format.Item;
import io.kvstadium.transfer.source.EntrySource;
import io.kvstadium.transfer.source.SourceReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What must be known about a dataset to read from it at random and to verify what was read. Built
 * in one pass, in memory bounded by {@link Limits} regardless of the size of the data.
 */
public final class DatasetIndex {
  /**
   * How much an index may hold.
   *
   * @param keys how many keys are sampled for reads
   * @param valueBytes total size of the values that are kept for updates; at least one is
   * @param distinct up to this many distinct keys, duplicates are counted exactly; 16 to 32 bytes
   *     each, during the pass only
   */
  public record Limits(int keys, long valueBytes, int distinct) {
    /** About 130 MB at most, of which 60 are kept. */
    public static final Limits DEFAULT = new Limits(100_000, 32 << 20, 3 << 20);

    public Limits {
      if (keys < 1 || valueBytes < 0 || distinct < 0 || distinct > 1 << 28) {
        throw new BadArgumentException(
            "Index limits of "
                + keys
                + " keys, "
                + valueBytes
                + " bytes of values, "
                + distinct
                + " distinct keys: give 1 or more keys, and up to 2^28 distinct ones");
      }
    }
  }

  private final String source;
  private final long count;
  private final long duplicates;
  private final boolean duplicatesExact;
  private final Lengths keyLengths;
  private final Lengths valueLengths;
  private final List<Sample> samples;
  private final Map<String, String> origin = new LinkedHashMap<>();
  private final List<String> leftOut;
  private final List<String> skipped;

  private DatasetIndex(Builder b, EntrySource source, SourceReader entries) {
    this.source = source.name();
    origin.put("source", source.name());
    origin.put("format", source.format());
    origin.putAll(entries.describe());
    this.leftOut = entries.leftOut();
    this.skipped = entries.skipped();
    this.count = b.count;
    this.duplicates = b.duplicates;
    this.duplicatesExact = !b.seen.full();
    this.keyLengths = Lengths.of(b.keyLengths, b.keyBytes);
    this.valueLengths = Lengths.of(b.valueLengths, b.bytes - b.keyBytes);
    this.samples = b.sampler.inDataOrder();
  }

  /**
   * Reads all of a source once.
   *
   * @param seed decides which keys are sampled
   * @throws BadArgumentException if there is none
   */
  public static DatasetIndex build(EntrySource source, Limits limits, long seed) {
    Builder builder = new Builder(limits, seed);
    TrialEntries checks = new TrialEntries(source.name());
    try (SourceReader entries = source.read()) {
      for (Item item = entries.next(); item != null; item = entries.next()) {
        checks.check(item);
        builder.add(new Entry<>(item.key(), item.value()), builder.count);
      }
      if (builder.count == 0) {
        throw new BadArgumentException(
            source.name() + " has no entries: give data with at least one");
      }
      return new DatasetIndex(builder, source, entries);
    }
  }

  /** How many entries the data has, duplicates included. */
  public long count() {
    return count;
  }

  /** How long the keys are. */
  public Lengths keyLengths() {
    return keyLengths;
  }

  /** How long the values are. */
  public Lengths valueLengths() {
    return valueLengths;
  }

  List<Sample> samples() {
    return samples;
  }

  /** The data's shape, for reports; see {@link io.kvstadium.bench.result.Facts}. */
  public Map<String, Object> describe() {
    Map<String, Object> shape = new LinkedHashMap<>(origin);
    shape.put("entries", count);
    if (!leftOut.isEmpty()) {
      shape.put("left out", String.join(" and ", leftOut));
    }
    shape.put(duplicatesExact ? "duplicates" : "duplicates, at least", duplicates);
    shape.put("key bytes", keyLengths.describe());
    shape.put("value bytes", valueLengths.describe());
    return shape;
  }

  /** What a reader of figures on this data should know. */
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    if (!skipped.isEmpty()) {
      findings.add(
          new Finding(
              Finding.Level.NOTE,
              "environment",
              source
                  + ": some entries cannot be read and were left out; the first: "
                  + String.join("; ", skipped)));
    }
    if (duplicates > 0) {
      findings.add(
          new Finding(
              Finding.Level.WARNING,
              "environment",
              source
                  + ": "
                  + (duplicatesExact ? "" : "at least ")
                  + duplicates
                  + " of "
                  + count
                  + " entries have a key that occurred before and overwrite it; choose a key that"
                  + " is unique if that is not what you want"));
    }
    if (samples.size() < count - duplicates) {
      findings.add(
          new Finding(
              Finding.Level.NOTE,
              "environment",
              source
                  + ": all "
                  + count
                  + " entries are loaded; reads, updates and deletes work on a random sample of "
                  + samples.size()
                  + " of the keys, which fit into caches better than all would"));
    }
    return findings;
  }

  /** The state of the pass. */
  private static final class Builder {
    private final Sampler sampler;
    private final LongSet seen;
    private final Histogram keyLengths = new Histogram(3);
    private final Histogram valueLengths = new Histogram(3);
    private long count;
    private long keyBytes;
    private long bytes;
    private long duplicates;

    Builder(Limits limits, long seed) {
      this.sampler = new Sampler(limits.keys(), limits.valueBytes(), seed);
      this.seen = new LongSet(limits.distinct());
    }

    void add(Entry<byte[], byte[]> entry, long ordinal) {
      byte[] key = entry.key();
      long hash = Mixing.hash(key);
      if (seen.containsOrAdd(hash)) {
        duplicates++;
      }
      sampler.offer(entry, hash, ordinal);
      keyLengths.recordValue(key.length);
      valueLengths.recordValue(entry.value().length);
      keyBytes += key.length;
      bytes += key.length + entry.value().length;
      count++;
    }
  }
}
