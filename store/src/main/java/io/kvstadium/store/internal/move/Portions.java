package io.kvstadium.store.internal.move;

import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.Write;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes a store equal to another one, in portions, with the present entries of the latter: so it
 * does not matter how often or in what order the same is done. What is read is made durable before
 * it is written to the other store, which is thus never ahead of what a power cut leaves. Used by
 * one thread.
 */
final class Portions {
  /** A portion ends at this many entries … */
  private static final int ENTRIES = 1_000;

  /** … or at this many bytes of keys and values. */
  private static final long BYTES = 1 << 20;

  /** How much of a log is applied before it is removed. */
  private static final int LOGGED = 4_096;

  private final Side from;
  private final Side to;

  Portions(Side from, Side to) {
    this.from = from;
    this.to = to;
  }

  /**
   * What was done.
   *
   * @param last the last key that was looked at; {@code null} at the end of the range
   * @param entries how many there were
   * @param bytes of their keys and values
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Done(byte @Nullable [] last, long entries, long bytes) {}

  /**
   * Makes the first entries of a range equal.
   *
   * @param note what is written in the same step, given what was done
   */
  Done equalize(String name, Range<byte[]> range, Function<Done, List<Write<EngineTable>>> note) {
    return from.reading(() -> {
      EngineTable source = from.open(name, false);
      if (source == null || range.isEmpty()) { // removed meanwhile, which the log says
        Done end = new Done(null, 0, 0);
        to.write(note.apply(end));
        return end;
      }
      List<Entry<byte[], byte[]>> entries = new ArrayList<>();
      Done read = read(from, source, range, entries);
      Range<byte[]> part = read.last == null ? range : range.to(read.last, true);
      EngineTable target = to.made(name);
      List<Write<EngineTable>> writes = new ArrayList<>();
      byte[] cut = difference(entries, target, part, writes);
      Done done = cut == null ? read : new Done(cut, read.entries, read.bytes);
      if (!writes.isEmpty()) {
        from.sync();
      }
      writes.addAll(note.apply(done));
      to.write(writes);
      return done;
    });
  }

  private static Done read(
      Side side, EngineTable table, Range<byte[]> range, List<Entry<byte[], byte[]>> entries) {
    return side.call(() -> {
      long bytes = 0;
      try (EngineCursor cursor = side.store.cursor(table, range)) {
        while (cursor.next()) {
          Entry<byte[], byte[]> entry = new Entry<>(cursor.key(), cursor.value());
          entries.add(entry);
          bytes += entry.key().length + entry.value().length;
          if (entries.size() == ENTRIES || bytes >= BYTES) {
            return new Done(entry.key(), entries.size(), bytes);
          }
        }
      }
      return new Done(null, entries.size(), bytes);
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

  private void equalizeAll(String name, Range<byte[]> range) {
    Range<byte[]> rest = range;
    while (true) {
      byte[] last = equalize(name, rest, _ -> List.of()).last;
      if (last == null) {
        return;
      }
      rest = rest.from(last, false);
    }
  }

  /**
   * Applies what a log says, and removes that from it.
   *
   * @return whether that was all that there was when it was called
   */
  boolean follow(ChangeLog log) {
    List<ChangeLog.Logged> logged = log.read(LOGGED);
    if (logged.isEmpty()) {
      return true;
    }
    Set<String> tables = new LinkedHashSet<>();
    List<Change> ranges = new ArrayList<>();
    Map<String, Set<byte[]>> keys = new LinkedHashMap<>();
    for (ChangeLog.Logged entry : logged) {
      for (Change change : entry.changes()) {
        if (change.key() != null) {
          keys.computeIfAbsent(change.table(), _ -> new TreeSet<>(Arrays::compareUnsigned))
              .add(change.key());
        } else if (change.range() != null) {
          ranges.add(change);
        } else {
          tables.add(change.table());
        }
      }
    }
    tables.forEach(this::table);
    for (Change change : ranges) {
      if (change.range() != null && !tables.contains(change.table())) {
        equalizeAll(change.table(), change.range());
      }
    }
    keys.forEach(this::entries);
    to.sync();
    log.remove(logged);
    return logged.size() < LOGGED;
  }

  /** A table was removed, and perhaps made again. */
  private void table(String name) {
    if (from.names().contains(name)) {
      equalizeAll(name, Range.all());
    } else {
      to.drop(name);
    }
  }

  private void entries(String name, Set<byte[]> keys) {
    List<Write<EngineTable>> writes = new ArrayList<>();
    long bytes = 0;
    EngineTable target = from.open(name, false) == null ? null : to.made(name);
    if (target == null) {
      return; // removed since
    }
    for (byte[] key : keys) {
      byte[] value = from.reading(() -> from.get(name, key));
      writes.add(new Write<>(target, key, value));
      bytes += key.length + (value == null ? 0 : value.length);
      if (bytes >= BYTES) {
        apply(writes);
        bytes = 0;
      }
    }
    apply(writes);
  }

  private void apply(List<Write<EngineTable>> writes) {
    if (!writes.isEmpty()) {
      from.sync();
      to.write(writes);
      writes.clear();
    }
  }

  /** Looks for entries of a part of a table that are not equal. */
  Done compare(String name, Range<byte[]> range, List<Write<EngineTable>> different) {
    return from.reading(() -> {
      EngineTable source = from.open(name, false);
      EngineTable target = to.open(name, false);
      List<Entry<byte[], byte[]>> entries = new ArrayList<>();
      if (source == null || range.isEmpty()) {
        return new Done(null, 0, 0);
      }
      Done read = read(from, source, range, entries);
      if (target == null) {
        entries.forEach(entry -> different.add(put(source, entry)));
        return read;
      }
      byte[] cut =
          difference(
              entries, target, read.last == null ? range : range.to(read.last, true), different);
      return cut == null ? read : new Done(cut, read.entries, read.bytes);
    });
  }
}
