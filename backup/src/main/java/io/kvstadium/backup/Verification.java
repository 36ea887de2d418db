package io.kvstadium.backup;

import io.kvstadium.store.Capability;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.TableReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads a whole store: each table forwards, each entry by its key, then backwards. It finds what
 * the engine or a checksum reports, keys out of order, and differences between ways of reading. It
 * cannot find changed bytes where neither engine nor library keeps a checksum.
 */
public final class Verification {
  /** How many problems of a table are reported in full. */
  private static final int TOLD = 10;

  /**
   * What was found in a table.
   *
   * @param entries read forwards
   * @param bytes the total size of their keys and values
   * @param problems how many there were
   * @param told the first problems, a sentence each
   */
  public record Result(String table, long entries, long bytes, long problems, List<String> told) {
    public Result {
      told = List.copyOf(told);
    }
  }

  /** Receives the progress: at the start of each table, and from time to time. */
  @FunctionalInterface
  public interface Listener {
    /** The given number of entries of a table were read forwards or backwards. */
    void read(String table, long entries);
  }

  private static final int EVERY = 10_000;

  private final Store store;
  private final Listener listener;

  private long problems;
  private final List<String> told = new ArrayList<>();

  /** A sum over entries in any order. */
  private long sum;

  private long entries;
  private long bytes;

  private Verification(Store store, Listener listener) {
    this.store = store;
    this.listener = listener;
  }

  /** Reads all tables, from one snapshot where the store has them. */
  public static List<Result> of(Store store, Listener listener) {
    if (!store.capabilities().contains(Capability.SNAPSHOT)) {
      return of(store, listener, store::table);
    }
    try (Snapshot snapshot = store.snapshot()) {
      return of(store, listener, name -> snapshot.on(store.table(name)));
    }
  }

  private static List<Result> of(
      Store store, Listener listener, Function<String, TableReader<byte[], byte[]>> tables) {
    List<Result> results = new ArrayList<>();
    for (String name : store.tables()) {
      results.add(new Verification(store, listener).table(tables.apply(name), name));
    }
    return results;
  }

  private Result table(TableReader<byte[], byte[]> table, String name) {
    boolean ordered = store.capabilities().contains(Capability.ORDERED_SCAN);
    if (!store.capabilities().contains(Capability.SCAN)) {
      problem("its entries cannot be listed by this engine, so nothing was read");
      return result(name);
    }
    pass(table, Range.all(), ordered);
    long forwards = entries;
    long read = bytes;
    if (ordered && problems == 0) {
      long forwardSum = sum;
      pass(table, Range.<byte[]>all().reverse(), true);
      if (problems == 0 && (entries != forwards || sum != forwardSum)) {
        problem(
            "forwards there are "
                + forwards
                + " entries and backwards "
                + entries
                + (entries == forwards ? ", but others" : ""));
      }
    }
    entries = forwards;
    bytes = read;
    if (problems == 0) {
      try {
        long count = table.count();
        if (count != forwards) {
          problem("count() says " + count + " entries, and " + forwards + " were read");
        }
      } catch (StadiumException e) {
        problem("count(): " + e.getMessage());
      }
    }
    return result(name);
  }

  private Result result(String name) {
    return new Result(name, entries, bytes, problems, told);
  }

  private void problem(String sentence) {
    problems++;
    if (told.size() < TOLD) {
      told.add(sentence);
    }
  }

  private void pass(TableReader<byte[], byte[]> table, Range<byte[]> range, boolean ordered) {
    entries = 0;
    bytes = 0;
    sum = 0;
    byte[] previous = null;
    try (Cursor<byte[], byte[]> cursor = table.scan(range)) {
      while (cursor.next()) {
        byte[] key = cursor.key();
        if (ordered && previous != null) {
          int order = Arrays.compareUnsigned(previous, key);
          if (range.reversed() ? order <= 0 : order >= 0) {
            problem("key " + hex(key) + " comes after " + hex(previous) + ", out of order");
          }
        }
        previous = key;
        entries++;
        value(table, cursor, key, range.reversed());
        if (entries % EVERY == 0) {
          listener.read(table.name(), entries);
        }
      }
    } catch (CorruptException e) { // values are read ahead, so that the entry is not known
      oneByOne(table, range, ordered ? previous : null);
    } catch (StadiumException e) {
      problem("after " + entries + " entries: " + e.getMessage());
    }
    listener.read(table.name(), entries);
  }

  /**
   * Goes on behind a damaged entry: by the keys alone, and their values one by one.
   *
   * @param last the last key that was read, or {@code null} to begin again
   */
  private void oneByOne(
      TableReader<byte[], byte[]> table, Range<byte[]> range, byte @Nullable [] last) {
    if (last == null) {
      entries = 0;
      bytes = 0;
    }
    Range<byte[]> rest =
        last == null ? range : range.reversed() ? range.to(last, false) : range.from(last, false);
    try (Cursor<byte[], byte[]> cursor = table.scan(rest.keysOnly())) {
      while (cursor.next()) {
        byte[] key = cursor.key();
        entries++;
        try {
          byte[] value = table.get(key);
          bytes += key.length + (value == null ? 0L : value.length);
        } catch (CorruptException e) {
          problem(String.valueOf(e.getMessage()));
        }
        if (entries % EVERY == 0) {
          listener.read(table.name(), entries);
        }
      }
    } catch (StadiumException e) {
      problem("after " + entries + " entries: " + e.getMessage());
    }
  }

  private void value(
      TableReader<byte[], byte[]> table, Cursor<byte[], byte[]> cursor, byte[] key, boolean again) {
    try {
      byte[] value = cursor.value();
      bytes += (long) key.length + value.length;
      CRC32C checksum = new CRC32C();
      checksum.update(key);
      checksum.update(value);
      sum += checksum.getValue() * 0x9E3779B97F4A7C15L + key.length;
      if (!again && !Arrays.equals(value, table.get(key))) {
        problem("key " + hex(key) + " has another value by get() than in a scan");
      }
    } catch (CorruptException e) {
      problem(String.valueOf(e.getMessage()));
    }
  }

  private static String hex(byte[] key) {
    int most = 32;
    return HexFormat.of().formatHex(key, 0, Math.min(most, key.length))
        + (key.length > most ? "…" : "");
  }
}
