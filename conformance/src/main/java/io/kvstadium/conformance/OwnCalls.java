package io.kvstadium.conformance;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Codec;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Table;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Calls that change own entries and return a result: nobody else writes these, so the result must
 * be right.
 *
 * @param table the store's own table, or a transaction's
 * @param known the own entries as they are before each call; changed by it
 */
record OwnCalls(Misuser m, Table table, Map<Integer, byte[]> known) {
  /** One call, whichever the store has. */
  void any() {
    switch (m.random.nextInt(m.can(Capability.ORDERED_SCAN) ? 8 : 6)) {
      case 0 -> putIfAbsent();
      case 1 -> replace();
      case 2, 3 -> update();
      case 4, 5 -> add();
      default -> deleteRange();
    }
  }

  private int anyEntry() {
    return m.random.nextInt(OwnEntries.COUNT);
  }

  private byte[] key(int entry) {
    return m.own.key(entry);
  }

  private byte[] newValue(int entry) {
    return m.value(table.name(), key(entry));
  }

  private static void demand(String call, Object expected, Object answer) {
    if (!expected.equals(answer)) {
      throw new WrongAnswer("%s answered %s instead of %s".formatted(call, answer, expected));
    }
  }

  private void putIfAbsent() {
    int entry = anyEntry();
    byte[] value = newValue(entry);
    boolean absent = !known.containsKey(entry);
    demand("putIfAbsent", absent, table.putIfAbsent(key(entry), value));
    known.putIfAbsent(entry, value);
  }

  private void replace() {
    int entry = anyEntry();
    byte[] present = known.get(entry);
    byte[] value = newValue(entry);
    if (present != null && !m.oneIn(3)) {
      demand("replace", true, table.replace(key(entry), present, value));
      known.put(entry, value);
    } else {
      byte[] wrong = m.oneIn(2) ? Bytes.EMPTY : newValue(entry);
      demand("replace", false, table.replace(key(entry), wrong, value));
    }
  }

  @SuppressWarnings("ReferenceEquality") // the function's exception must reach the caller itself
  private void update() {
    int entry = anyEntry();
    byte[] present = known.get(entry);
    byte[] value = m.oneIn(4) ? null : newValue(entry);
    RuntimeException purpose = m.oneIn(4) ? anyException() : null;
    int[] runs = new int[1];
    try {
      byte[] answer =
          table.update(
              key(entry),
              given -> {
                runs[0]++;
                OwnEntries.demand("given to an update", present, given);
                MisuseBlocks.callInFunction(m);
                if (purpose != null) {
                  throw purpose;
                }
                if (given != null) {
                  Arrays.fill(given, (byte) 1); // it is its own copy
                }
                return value;
              });
      if (purpose != null) {
        throw new WrongAnswer("an update continued although its function threw", purpose);
      }
      OwnEntries.demand("the answer of an update", value, answer);
      become(entry, value);
    } catch (RuntimeException e) {
      if (e != purpose) {
        throw e;
      }
      m.setCallFailed(true);
    }
    demand("the number of runs of an update that nobody disturbed", 1, runs[0]);
  }

  /** The library's own exceptions must also reach the caller unchanged. */
  private RuntimeException anyException() {
    return m.oneIn(2)
        ? new Misuser.OnPurpose()
        : new io.kvstadium.store.ConflictException("on purpose");
  }

  private void become(int entry, byte @Nullable [] value) {
    if (value == null) {
      known.remove(entry);
    } else {
      known.put(entry, value);
    }
  }

  private void add() {
    if (m.oneIn(3)) {
      refuseAddition();
      return;
    }
    byte[] present = known.get(OwnEntries.NUMBER);
    byte[] key = key(OwnEntries.NUMBER);
    if (present != null && m.oneIn(6)) {
      OwnEntries.demand("the answer of an update", null, table.update(key, _ -> null));
      known.remove(OwnEntries.NUMBER);
      return;
    }
    long delta = m.random.nextInt(1_000);
    long sum = (present == null ? 0 : Codec.LONG.decode(present)) + delta;
    demand("add", sum, table.add(key, delta));
    known.put(OwnEntries.NUMBER, Codec.LONG.encode(sum));
  }

  /** To something that is not a number, or beyond the range. */
  private void refuseAddition() {
    int entry = anyEntry();
    byte[] number = known.get(OwnEntries.NUMBER);
    if (known.containsKey(entry)) {
      try {
        table.add(key(entry), 1);
      } catch (CorruptException e) {
        m.setCallFailed(true);
        return;
      }
      throw new WrongAnswer("something was added to what is not a number");
    }
    if (number != null && Codec.LONG.decode(number) > 0) {
      Misuser.refused("add", () -> table.add(key(OwnEntries.NUMBER), Long.MAX_VALUE));
      m.setCallFailed(true);
    }
  }

  /** Empty and inverted ones too. */
  private void deleteRange() {
    Span span = Span.any(m);
    Map<Integer, byte[]> inside = span.of(known);
    if (m.oneIn(8)) {
      Misuser.refused("a delete with a limit", () -> table.delete(span.range(m).limit(1)));
      m.setCallFailed(true);
      return;
    }
    long count;
    try {
      count = table.delete(span.range(m));
    } catch (BadArgumentException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new HalfDone(inside.keySet(), e);
    }
    demand("delete of " + span, (long) inside.size(), count);
    known.keySet().removeAll(Set.copyOf(inside.keySet()));
  }

  /** A failed call may have changed some of these entries. */
  static final class HalfDone extends RuntimeException {
    @java.io.Serial private static final long serialVersionUID = 1;
    private final transient Set<Integer> entries;
    private final RuntimeException why;

    HalfDone(Set<Integer> entries, RuntimeException why) {
      super(why);
      this.entries = Set.copyOf(entries);
      this.why = why;
    }

    Set<Integer> entries() {
      return entries;
    }

    RuntimeException why() {
      return why;
    }
  }

  /**
   * A range of own entries.
   *
   * @param from the first one; may be after the last entry
   * @param to the exclusive end, which may be before the first one
   */
  record Span(int from, int to) {
    static Span any(Misuser m) {
      return new Span(
          m.random.nextInt(OwnEntries.NUMBER + 1), m.random.nextInt(OwnEntries.NUMBER + 1));
    }

    Range range(Misuser m) {
      boolean open = m.oneIn(3);
      Range range = Range.between(m.own.key(from), m.own.key(to));
      if (open && from > 0) { // the same by the other kinds of bounds
        range = range.from(m.own.key(from - 1), false);
      }
      if (open && to > 0 && from < to) {
        range = range.to(m.own.key(to - 1), true);
      }
      return m.oneIn(3) ? range.reverse() : range;
    }

    NavigableMap<Integer, byte[]> of(Map<Integer, byte[]> known) {
      NavigableMap<Integer, byte[]> inside = new TreeMap<>(known);
      inside.keySet().removeIf(entry -> entry < from || entry >= to);
      return inside;
    }
  }
}
