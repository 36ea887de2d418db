package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;

import io.kvstadium.store.BatchTable;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.ReadGuarantee;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Steps of a careless program with cursors, snapshots and what others have lost. */
final class MisuseHandles {
  /** Two keys that are only ever written together. */
  static final byte[][] PAIR = {bytes("pair-a"), bytes("pair-b")};

  private MisuseHandles() {}

  static void scan(Misuser m) {
    scan(m, m.store().table(m.anyName()), m.shared().dropped());
  }

  static void scan(Misuser m, TableReader from, Map<String, Long> dropped) {
    String table = ((Table) from).name();
    Cursor cursor = from.scan(anyRange(m));
    walk(m, cursor, table, dropped, m.random.nextInt(30));
    leave(m, cursor, table, false);
  }

  private static Range anyRange(Misuser m) {
    if (!m.can(Capability.ORDERED_SCAN)) {
      return Range.all();
    }
    Range range = m.oneIn(2) ? Range.all().from(m.anyKey(), true) : Range.all();
    return m.oneIn(3) ? range.reverse() : range;
  }

  /** Moves on, and checks what it finds: nobody else may use the cursor meanwhile. */
  static void walk(Misuser m, Cursor cursor, String table, Map<String, Long> dropped, int most) {
    if (m.oneIn(6)) {
      cursor.stream()
          .limit(most)
          .forEach(seen -> m.check(table, seen.key(), seen.value(), dropped));
      return; // and nobody closes the stream
    }
    if (m.oneIn(6)) {
      Entry[] chunk = new Entry[1 + m.random.nextInt(20)];
      for (int i = cursor.nextChunk(chunk) - 1; i >= 0; i--) {
        m.check(table, chunk[i].key(), chunk[i].value(), dropped);
      }
    }
    for (int i = 0; i < most && cursor.next(); i++) {
      byte[] key = cursor.key();
      byte[] value =
          m.oneIn(3)
              ? cursor.value(lent -> lent.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
              : cursor.value();
      m.check(table, key, value, dropped);
    }
  }

  /** Closes a cursor, or twice, or leaves it to others, or forgets it. */
  static void leave(Misuser m, Cursor cursor, String table, boolean onlyToClose) {
    switch (m.random.nextInt(6)) {
      case 0 -> {} // forgotten
      case 1 -> m.lost().add(new Lost.LostCursor(cursor, table, onlyToClose), m.random);
      case 2 -> {
        cursor.close();
        cursor.close();
      }
      default -> cursor.close();
    }
  }

  static void snapshot(Misuser m) {
    Map<String, Long> dropped = m.shared().dropped();
    Snapshot snapshot = m.store().snapshot();
    Lost.LostView lost = new Lost.LostView(snapshot, new ConcurrentHashMap<>(), dropped);
    for (int i = 0; i < 3; i++) {
      read(m, lost);
    }
    int entry = m.random.nextInt(OwnEntries.COUNT);
    TableReader then = snapshot.on(m.store().table());
    m.checkOwn("in a snapshot", entry, then.get(m.own.key(entry)));
    OwnWalk.any(m, then, m.own.copy());
    switch (m.random.nextInt(5)) {
      case 0 -> {} // forgotten
      case 1, 2 -> m.lost().add(lost, m.random);
      default -> {
        snapshot.close();
        snapshot.close();
      }
    }
  }

  /** What a snapshot returned once, it always returns; and it has both of a pair or none. */
  static void read(Misuser m, Lost.LostView lost) {
    Table table = m.tableInside();
    TableReader then = lost.view().on(table);
    byte[] key = m.oneOfFewKeys(); // so that it is read again
    byte[] value = m.read(then, table.name(), key, lost.dropped());
    if (lost.view().guarantee() == ReadGuarantee.SNAPSHOT
        && table.name().equals(Store.DEFAULT_TABLE)) { // any other may be dropped and created again
      String place = new String(key, java.nio.charset.StandardCharsets.US_ASCII);
      byte[] known = lost.seen().putIfAbsent(place, value == null ? Bytes.EMPTY : value);
      if (known != null) {
        OwnEntries.demand("again in a snapshot", known.length == 0 ? null : known, value);
      }
      if (stamp(then.get(PAIR[0])) != stamp(then.get(PAIR[1]))) {
        throw new WrongAnswer("a snapshot has half of a batch or transaction");
      }
    }
    if (m.oneIn(4)) {
      Cursor cursor = then.scan(anyRange(m));
      walk(m, cursor, table.name(), lost.dropped(), 5);
      leave(m, cursor, table.name(), false);
    }
  }

  private static long stamp(byte @Nullable [] value) {
    return value == null ? -1 : Proof.stamp(value);
  }

  static void keepTable(Misuser m) {
    m.lost().add(new Lost.LostTable(m.store().table(m.anyName())), m.random);
  }

  /** Uses what another thread lost, at any time. */
  static void use(Misuser m) {
    switch (m.lost().find(m.random)) {
      case Lost.LostCursor lost when lost.onlyToClose() -> lost.cursor().close();
      case Lost.LostCursor lost -> useCursor(m, lost);
      case Lost.LostView lost -> read(m, lost);
      case Lost.LostTransaction lost -> useTransaction(m, lost);
      case Lost.LostBatch lost -> {
        Table table = m.store().table(m.anyName());
        BatchTable writer = lost.batch().on(table);
        byte[] key = m.anyKey();
        writer.put(key, m.value(table.name(), key));
        if (m.can(Capability.ORDERED_SCAN)) {
          writer.delete(Range.between(m.anyKey(), m.anyKey()));
        }
      }
      case Lost.LostTable lost -> {
        Table table = lost.table();
        m.read(table, table.name(), m.anyKey(), m.shared().dropped());
        if (m.can(Capability.WRITE)) {
          MisuseSteps.change(m, table);
        }
      }
      case null -> {}
    }
  }

  /** Others may use it too, between any two calls. */
  private static void useCursor(Misuser m, Lost.LostCursor lost) {
    Cursor cursor = lost.cursor();
    if (cursor.next()) {
      cursor.key();
      byte[] value = cursor.value();
      Proof.checkAlone(lost.table(), value);
      if (m.oneIn(4) && m.can(Capability.ORDERED_SCAN)) {
        cursor.seek(m.anyKey());
        cursor.nextChunk(new Entry[3]);
      }
      if (m.oneIn(3)) {
        cursor.value(lent -> {
          cursor.close(); // refused while it is in use, here by this very reader
          return 0;
        });
      }
    }
  }

  private static void useTransaction(Misuser m, Lost.LostTransaction lost) {
    Table table = lost.table();
    switch (m.random.nextInt(5)) {
      case 0 -> lost.transaction().rollback();
      case 1 -> lost.transaction().on(m.store().table(m.anyName())).get(m.anyKey());
      case 2 -> MisuseSteps.change(m, table);
      case 3 -> {
        if (m.can(Capability.SCAN)) {
          scan(m, table, lost.dropped());
        }
      }
      default -> m.read(table, table.name(), m.anyKey(), lost.dropped());
    }
  }

  static void close(Misuser m) {
    switch (m.lost().take(m.random)) {
      case Lost.LostCursor lost -> lost.cursor().close();
      case Lost.LostView lost -> lost.close();
      case Lost.LostTransaction lost -> lost.transaction().rollback();
      case Lost.LostBatch _, Lost.LostTable _ -> {}
      case null -> {}
    }
  }
}
