package io.kvstadium.store.internal.move;

import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.Write;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes a store equal to another one, in portions, with the present entries of the latter: so it
 * does not matter how often or in what order the same is done. What is read is made durable before
 * it is written to the other store, which is thus never ahead of what a power cut leaves. Used by
 * one thread.
 *
 * @param from is read
 * @param to is written
 */
record Portions(Side from, Side to) {
  /** A portion ends at this many entries … */
  private static final int ENTRIES = 1_000;

  /** … or at this many bytes of keys and values. */
  private static final long BYTES = 1 << 20;

  /** So many bytes of values are applied at once: a sync of the store that is used costs most. */
  private static final long FOLLOWED_BYTES = 8 << 20;

  /**
   * The first entries of a range.
   *
   * @param last the last key that was looked at; {@code null} at the end of the range
   * @param entries how many there were
   * @param bytes of their keys and values
   * @param writes what makes the other store equal
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Part(byte @Nullable [] last, long entries, long bytes, List<Write<EngineTable>> writes) {
    @Nullable Range<byte[]> rest(Range<byte[]> range) {
      return last == null ? null : range.from(last, false);
    }
  }

  /** Compares the first entries of a range. */
  Part compare(String name, Range<byte[]> range) {
    return from.reading(() -> {
      EngineTable source = from.open(name, false);
      List<Write<EngineTable>> writes = new ArrayList<>();
      if (source == null || range.isEmpty()) { // removed meanwhile, which the log says
        return new Part(null, 0, 0, writes);
      }
      List<Entry<byte[], byte[]>> entries = new ArrayList<>();
      byte[] end = read(source, range, entries);
      byte[] cut =
          difference(entries, to.made(name), end == null ? range : range.to(end, true), writes);
      long bytes = entries.stream().mapToLong(Portions::size).sum();
      return new Part(cut == null ? end : cut, entries.size(), bytes, writes);
    });
  }

  private static long size(Entry<byte[], byte[]> entry) {
    return (long) entry.key().length + entry.value().length;
  }

  /** Returns the last key, or {@code null} if it came to the end of the range. */
  @SuppressWarnings("NullAway") // which takes a call for one that is never null
  private byte @Nullable [] read(
      EngineTable source, Range<byte[]> range, List<Entry<byte[], byte[]>> entries) {
    return from.call(() -> {
      long bytes = 0;
      try (EngineCursor cursor = from.store.cursor(source, range)) {
        while (cursor.next()) {
          Entry<byte[], byte[]> entry = new Entry<>(cursor.key(), cursor.value());
          entries.add(entry);
          bytes += size(entry);
          if (entries.size() == ENTRIES || bytes >= BYTES) {
            return entry.key();
          }
        }
      }
      return null;
    });
  }

  /**
   * What to write so that a range has just these entries.
   *
   * @return where that ends before the range does, because there is much to remove, or {@code null}
   */
  @SuppressWarnings("NullAway") // which takes a call for one that is never null
  private byte @Nullable [] difference(
      List<Entry<byte[], byte[]>> entries,
      EngineTable target,
      Range<byte[]> range,
      List<Write<EngineTable>> writes) {
    return to.call(() -> {
      int at = 0;
      try (EngineCursor cursor = to.store.cursor(target, range)) {
        while (cursor.next()) {
          byte[] key = cursor.key();
          while (at < entries.size() && Arrays.compareUnsigned(entries.get(at).key(), key) < 0) {
            writes.add(put(target, entries.get(at++)));
          }
          if (at < entries.size() && Arrays.equals(entries.get(at).key(), key)) {
            if (!Arrays.equals(entries.get(at).value(), cursor.value())) {
              writes.add(put(target, entries.get(at)));
            }
            at++;
          } else {
            writes.add(new Write<>(target, key, null));
          }
          if (writes.size() >= 2 * ENTRIES) {
            return key;
          }
        }
      }
      while (at < entries.size()) {
        writes.add(put(target, entries.get(at++)));
      }
      return null;
    });
  }

  private static Write<EngineTable> put(EngineTable table, Entry<byte[], byte[]> entry) {
    return new Write<>(table, entry.key(), entry.value());
  }

  /**
   * Writes what {@link #compare} found.
   *
   * @param note is written in the same step
   */
  void apply(Part part, Write<EngineTable> note) {
    List<Write<EngineTable>> writes = new ArrayList<>(part.writes);
    if (!writes.isEmpty()) {
      from.makeDurable();
    }
    writes.add(note);
    to.write(writes);
  }

  private void apply(List<Write<EngineTable>> writes) {
    if (!writes.isEmpty()) {
      from.makeDurable();
      to.write(writes);
    }
  }

  /**
   * Applies the oldest entries of a log, and removes them.
   *
   * @param check throws if there is no more time
   * @return whether that was all that there was when it was called
   */
  boolean follow(ChangeLog log, Runnable check) {
    ChangeLog.Part logged = log.read();
    if (!logged.changes().isEmpty()) {
      Set<String> names = from.names();
      Map<String, Set<byte[]>> keys = new TreeMap<>();
      for (Change change : logged.changes()) {
        if (!names.contains(change.table())) { // removed; if it comes again, the log says so
          to.drop(change.table());
        } else if (change.range() != null) {
          equalize(change.table(), change.range(), check);
        } else if (change.key() != null) {
          keys.computeIfAbsent(change.table(), _ -> new TreeSet<>(Arrays::compareUnsigned))
              .add(change.key());
        }
      }
      equalize(keys, check);
      to.makeDurable();
    }
    log.remove(logged);
    return logged.isAll();
  }

  private void equalize(String name, Range<byte[]> range, Runnable check) {
    for (Range<byte[]> rest = range; rest != null; ) {
      check.run();
      Part part = compare(name, rest);
      apply(part.writes);
      rest = part.rest(rest);
    }
  }

  private void equalize(Map<String, Set<byte[]>> keys, Runnable check) {
    List<Write<EngineTable>> writes = new ArrayList<>();
    long bytes = 0;
    for (Map.Entry<String, Set<byte[]>> table : keys.entrySet()) {
      EngineTable target = to.made(table.getKey());
      for (byte[] key : table.getValue()) {
        byte[] value = from.reading(() -> from.get(table.getKey(), key));
        writes.add(new Write<>(target, key, value));
        bytes += value == null ? 0 : value.length;
        if (bytes >= FOLLOWED_BYTES) {
          check.run();
          apply(writes);
          writes.clear();
          bytes = 0;
        }
      }
    }
    apply(writes);
  }
}
