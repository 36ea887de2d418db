package io.kvstadium.conformance;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Codec;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Table;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Steps of a careless program that write what depends on what is there, or remove ranges. */
final class MisuseConditions {
  private MisuseConditions() {}

  static void changeOwn(Misuser m) {
    m.strictly(() -> {
      Map<Integer, byte[]> after = m.own.copy();
      try {
        new OwnCalls(m, m.store().table(), after).any();
      } catch (OwnCalls.HalfDone e) {
        if (!m.can(Capability.RANGE_DELETE) && !m.can(Capability.BATCH)) {
          m.own.doubt(e.entries());
        }
        throw e.why();
      }
      m.own.become(after);
    });
  }

  static void walkOwn(Misuser m) {
    m.strictly(() -> OwnWalk.any(m, m.store().table(), m.own.copy()));
  }

  static void add(Misuser m) {
    Counter counter = m.shared().counters().get(m.random.nextInt(3));
    m.strictly(() -> {
      if (!m.can(Capability.WRITE) || m.oneIn(3)) {
        counter.check(m, m.store().table());
      } else if (m.oneIn(3)) {
        counter.add(m, (key, delta) -> addByUpdate(m.store().table(), key, delta));
      } else {
        counter.add(m, (key, delta) -> m.store().table().add(key, delta));
      }
    });
  }

  private static long addByUpdate(Table table, byte[] key, long delta) {
    byte[] sum =
        table.update(
            key,
            now -> {
              long before = now == null ? 0 : Codec.LONG.decode(now);
              return Codec.LONG.encode(before + delta);
            });
    if (sum == null) {
      throw new WrongAnswer("an update returned null, although its function did not");
    }
    return Codec.LONG.decode(sum);
  }

  /** In a transaction, which may be rolled back. */
  static void addInTransaction(Misuser m) {
    boolean rollsBack = m.oneIn(3);
    m.shared()
        .counters()
        .get(m.random.nextInt(3))
        .add(
            m,
            (key, delta) ->
                m.store()
                    .transact(
                        m.transactionOptions(),
                        tx -> {
                          long sum = tx.on(m.store().table()).add(key, delta);
                          if (rollsBack) {
                            tx.rollback();
                          }
                          return rollsBack ? -1 : sum;
                        }));
  }

  /** Writes a shared entry by a call that returns a result; the table may be anybody's. */
  static void change(Misuser m, Table table) {
    byte[] key = m.anyKey();
    switch (m.random.nextInt(6)) {
      case 0 -> table.putIfAbsent(key, m.value(table.name(), key));
      case 1 -> {
        byte[] seen = table.get(key);
        if (seen != null) {
          table.replace(key, seen, m.value(table.name(), key));
        }
      }
      case 2 -> deleteRange(m, table);
      default -> update(m, table, key);
    }
  }

  private static void update(Misuser m, Table table, byte[] key) {
    byte[][] last = new byte[1][];
    byte[] answer =
        table.update(
            key,
            given -> {
              if (given != null) {
                Proof.check(table.name(), key, given);
              }
              if (m.oneIn(4)) {
                MisuseBlocks.callInFunction(m);
              }
              if (m.oneIn(10)) {
                throw new Misuser.OnPurpose();
              }
              last[0] = m.oneIn(4) ? null : m.value(table.name(), key);
              return last[0];
            });
    OwnEntries.demand("the answer of an update", last[0], answer);
  }

  static void deleteRange(Misuser m, Table table) {
    if (!m.can(Capability.ORDERED_SCAN)) {
      return;
    }
    int from = m.random.nextInt(Misuser.SHARED_KEYS);
    int to = m.random.nextInt(Misuser.SHARED_KEYS); // before it half of the time
    long count = table.delete(Range.between(m.sharedKey(from), m.sharedKey(to)));
    if (count < 0 || count > Math.max(0, to - from)) {
      throw new WrongAnswer(
          "delete of %d keys says that it removed %d".formatted(to - from, count));
    }
  }

  /** The own entries are loaded from a walk over them, so that nothing changes. */
  static void loadFromCursor(Misuser m) {
    if (!m.can(Capability.ORDERED_SCAN)) {
      return;
    }
    m.strictly(() -> {
      Table table = m.store().table();
      long count;
      try (Cursor cursor = table.scan(Range.prefix(m.own.prefix()))) {
        count = table.load(cursor.entries(), true);
      }
      if (count != m.own.copy().size()) {
        throw new WrongAnswer("%d entries were loaded from a cursor".formatted(count));
      }
    });
  }

  /** The ends of a range of entries that belong to all. */
  static void ends(Misuser m) {
    Table table = m.store().table(m.anyName());
    Map<String, Long> dropped = m.shared().dropped();
    Range range = Range.prefix(Bytes.bytes("s")).from(m.anyKey(), m.oneIn(2));
    for (@Nullable Entry end :
        new @Nullable Entry[] {table.first(range), table.last(range.reverse())}) {
      if (end != null) {
        m.check(table.name(), end.key(), end.value(), dropped);
        if (!range.contains(end.key())) {
          throw new WrongAnswer("first() or last() left its range");
        }
      }
    }
  }
}
