package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.TableReader;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All kinds of moves of a cursor over own entries; nobody else may use it. */
final class OwnWalk {
  private final Misuser m;
  private final Cursor cursor;
  private final NavigableMap<Integer, byte[]> inside;
  private final boolean reversed;

  /** Where it is; after all entries if it is at its end, {@code null} before its first move. */
  private @Nullable Integer at;

  private boolean ended;

  private OwnWalk(
      Misuser m, Cursor cursor, NavigableMap<Integer, byte[]> inside, boolean reversed) {
    this.m = m;
    this.cursor = cursor;
    this.inside = inside;
    this.reversed = reversed;
  }

  /**
   * Walks over some of the own entries as seen by a store, a snapshot or a transaction.
   *
   * @param known what must be there
   */
  static void any(Misuser m, TableReader table, Map<Integer, byte[]> known) {
    if (!m.can(Capability.ORDERED_SCAN)) {
      return;
    }
    OwnCalls.Span span = OwnCalls.Span.any(m);
    Range range = span.range(m);
    NavigableMap<Integer, byte[]> inside = span.of(known);
    demand(m, inside.firstEntry(), table.first(range));
    demand(m, inside.lastEntry(), table.last(range));
    Cursor cursor = table.scan(range);
    OwnWalk walk = new OwnWalk(m, cursor, inside, range.reversed());
    for (int i = m.random.nextInt(8); i > 0; i--) {
      walk.move();
    }
    MisuseHandles.leave(m, cursor, table.name(), true);
  }

  private static void demand(
      Misuser m, Map.@Nullable Entry<Integer, byte[]> expected, @Nullable Entry seen) {
    if (seen == null ? expected != null : expected == null) {
      throw new WrongAnswer("first() or last() found %s, not %s".formatted(seen, expected));
    }
    if (seen != null && expected != null) {
      demand(m, expected.getKey(), expected.getValue(), seen.key(), seen.value());
    }
  }

  private static void demand(
      Misuser m, int entry, byte @Nullable [] value, byte[] seenKey, byte[] seen) {
    OwnEntries.demandKey("the place of a cursor", m.own.key(entry), seenKey);
    OwnEntries.demand("under a cursor", value, seen);
  }

  private void move() {
    switch (m.random.nextInt(6)) {
      case 0, 1 -> arrive(cursor.next(), following());
      case 2, 3 -> seek();
      case 4 -> chunk();
      default -> iterate();
    }
  }

  private @Nullable Integer following() {
    if (ended || inside.isEmpty()) {
      return null;
    }
    if (at == null) {
      return reversed ? inside.lastKey() : inside.firstKey();
    }
    return reversed ? inside.lowerKey(at) : inside.higherKey(at);
  }

  private void arrive(boolean found, @Nullable Integer expected) {
    if (found != (expected != null)) {
      throw new WrongAnswer(
          "a cursor found %s, but should be on own entry %s"
              .formatted(found ? Bytes.text(cursor.key()) : "nothing", expected));
    }
    if (expected != null) {
      demand(m, expected, inside.get(expected), cursor.key(), cursor.value());
    } else {
      Misuser.refused("key() at the end", cursor::key);
    }
    stand(expected);
  }

  private void stand(@Nullable Integer entry) {
    ended = entry == null;
    at = entry;
  }

  private void seek() {
    switch (m.random.nextInt(6)) {
      case 0 -> arrive(cursor.seek(bytes("p")), end(!reversed)); // before all own ones
      case 1 -> arrive(cursor.seek(bytes("q")), end(reversed)); // after them
      default -> {
        int target = m.random.nextInt(OwnEntries.NUMBER + 1);
        boolean found = cursor.seek(m.own.key(target));
        arrive(found, reversed ? inside.floorKey(target) : inside.ceilingKey(target));
      }
    }
  }

  /** The first one of the walk, or nothing. */
  private @Nullable Integer end(boolean atAll) {
    if (!atAll || inside.isEmpty()) {
      return null;
    }
    return reversed ? inside.lastKey() : inside.firstKey();
  }

  private void chunk() {
    Misuser.refused("an empty chunk", () -> cursor.nextChunk(new Entry[0]));
    Entry[] chunk = new Entry[1 + m.random.nextInt(4)];
    int count = cursor.nextChunk(chunk);
    for (int i = 0; i < chunk.length; i++) {
      Integer expected = following();
      if ((i < count) != (expected != null)) {
        throw new WrongAnswer("a chunk has %d entries, not %d".formatted(count, i));
      }
      if (expected != null) {
        demand(m, expected, inside.get(expected), chunk[i].key(), chunk[i].value());
      }
      stand(expected);
      if (expected == null) {
        return;
      }
    }
  }

  /** Reads some of what is left, or all; an iterator that was asked has read one ahead. */
  private void iterate() {
    Iterator<Entry> entries = cursor.entries();
    if (m.oneIn(2)) {
      for (Integer expected = following(); expected != null; expected = following()) {
        Entry seen = entries.next();
        demand(m, expected, inside.get(expected), seen.key(), seen.value());
        stand(expected);
        if (m.oneIn(3)) {
          return;
        }
      }
      try {
        entries.next();
      } catch (NoSuchElementException e) {
        stand(null);
        return;
      }
      throw new WrongAnswer("an iterator gave more than there is");
    }
    List<Entry> rest = (m.oneIn(2) ? stream(entries) : cursor.stream()).toList();
    for (Entry seen : rest) {
      Integer expected = following();
      if (expected == null) {
        throw new WrongAnswer("a stream gave more than there is");
      }
      demand(m, expected, inside.get(expected), seen.key(), seen.value());
      stand(expected);
    }
    arrive(cursor.next(), following());
  }

  private static Stream<Entry> stream(Iterator<Entry> entries) {
    return Stream.generate(() -> entries.hasNext() ? entries.next() : null)
        .takeWhile(Objects::nonNull);
  }
}
