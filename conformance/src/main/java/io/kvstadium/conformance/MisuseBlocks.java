package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Steps of a careless program that call from inside blocks, readers and iterators. */
final class MisuseBlocks {
  private MisuseBlocks() {}

  /** What would wait for the caller itself must be refused, wherever it is called. */
  private static void tryWhatIsRefused(Misuser m) {
    Store store = m.store();
    switch (m.random.nextInt(6)) {
      case 0 -> Misuser.refused("close", store::close);
      case 1 -> Misuser.refused("close", () -> store.close(Duration.ZERO));
      case 2 -> {
        if (m.can(Capability.TABLES)) {
          Misuser.refused("dropTable", () -> store.dropTable(m.anyNameToDrop()));
        }
      }
      case 3 -> {
        if (m.can(Capability.BATCH)) {
          Misuser.refused("write", () -> store.write(_ -> {}));
        }
      }
      case 4 -> {
        if (m.can(Capability.WRITE)) {
          refuseConditional(m, store.table());
        }
      }
      default -> {
        if (m.can(Capability.TRANSACTION)) {
          Misuser.refused("transact", () -> store.transact(m.transactionOptions(), _ -> 0));
        }
      }
    }
  }

  private static void refuseConditional(Misuser m, Table table) {
    byte[] key = m.anyKey();
    byte[] value = m.value(table.name(), key);
    switch (m.random.nextInt(4)) {
      case 0 -> Misuser.refused("putIfAbsent", () -> table.putIfAbsent(key, value));
      case 1 -> Misuser.refused("replace", () -> table.replace(key, value, value));
      case 2 -> Misuser.refused("add", () -> table.add(key, 1));
      default -> Misuser.refused("update", () -> table.update(key, _ -> value));
    }
  }

  /** What may be done in the function of an update: it concerns no table that may be dropped. */
  static void callInFunction(Misuser m) {
    switch (m.random.nextInt(4)) {
      case 0 -> tryWhatIsRefused(m);
      case 1 -> m.read(m.store().table(), Store.DEFAULT_TABLE, m.anyKey(), Map.of());
      case 2 -> putBeside(m);
      default -> {}
    }
  }

  /** What may be done anywhere. */
  static void callAgain(Misuser m) {
    switch (m.random.nextInt(6)) {
      case 0, 1 -> tryWhatIsRefused(m);
      case 2 -> {
        Table table = m.tableInside();
        m.read(table, table.name(), m.anyKey(), m.shared().dropped());
      }
      case 3 -> putBeside(m);
      case 4 -> {
        if (m.can(Capability.SCAN)) {
          MisuseHandles.scan(m, m.tableInside(), m.shared().dropped());
        }
      }
      default -> {
        if (m.can(Capability.SNAPSHOT)) {
          MisuseHandles.snapshot(m);
        }
      }
    }
  }

  /** A separate write, to keys that no transaction touches: it happens or is refused. */
  private static void putBeside(Misuser m) {
    if (!m.can(Capability.WRITE)) {
      return;
    }
    byte[] key = bytes("beside" + m.random.nextInt(4));
    try {
      m.store().table().put(key, m.value(Store.DEFAULT_TABLE, key));
    } catch (BadArgumentException | ConflictException e) {
      // the one or the other is documented
    }
  }

  static void reader(Misuser m) {
    Table table = m.store().table(m.anyName());
    Map<String, Long> dropped = m.shared().dropped();
    byte[] key = m.anyKey();
    byte[] value =
        table.get(
            key,
            lent -> {
              callAgain(m);
              if (m.oneIn(10)) {
                throw new Misuser.OnPurpose();
              }
              return lent.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
            });
    if (value != null) {
      m.check(table.name(), key, value, dropped);
    }
  }

  static void batch(Misuser m) {
    boolean thrown = m.oneIn(8);
    m.store()
        .write(batch -> {
          if (m.oneIn(3)) {
            m.lost().add(new Lost.LostBatch(batch), m.random);
          }
          for (int i = m.random.nextInt(6); i >= 0; i--) {
            Table table = m.store().table(m.anyName()); // creates it, if it must
            byte[] key = m.anyKey();
            batch.on(table).put(key, m.value(table.name(), key));
            if (m.oneIn(10) && m.can(Capability.ORDERED_SCAN)) {
              batch.on(table).delete(Range.between(m.anyKey(), m.anyKey()));
            }
            if (m.oneIn(4)) {
              callAgain(m);
            }
          }
          putPair(m, batch.on(m.store().table())::put);
          if (thrown) {
            throw new Misuser.OnPurpose();
          }
        });
  }

  /** Puts to a place. */
  interface Putter {
    void put(byte[] key, byte[] value);
  }

  /** Two entries that are only ever written together. */
  static void putPair(Misuser m, Putter target) {
    long stamp = m.shared().tick();
    for (byte[] key : MisuseHandles.PAIR) {
      target.put(key, Proof.make(Store.DEFAULT_TABLE, key, stamp, 20));
    }
  }

  /** The iterator does what it may not, or ends the load. */
  static void load(Misuser m) {
    Table table = m.store().table(m.anyName());
    Misuser.@Nullable OnPurpose purpose = m.oneIn(4) ? new Misuser.OnPurpose() : null;
    int count = 1 + m.random.nextInt(10);
    Iterator<Entry> entries =
        new Iterator<>() {
          private int given;

          @Override
          public boolean hasNext() {
            return given < count;
          }

          @Override
          public Entry next() {
            given++;
            if (m.oneIn(4)) {
              tryWhatIsRefused(m);
            } else if (m.oneIn(4)) {
              m.read(m.store().table(), Store.DEFAULT_TABLE, m.anyKey(), Map.of());
            }
            if (purpose != null && given == count) {
              throw purpose;
            }
            byte[] key = m.anyKey();
            return new Entry(key, m.value(table.name(), key));
          }
        };
    table.load(entries, false);
    if (purpose != null) {
      throw new WrongAnswer("a load continued although its entries threw", purpose);
    }
  }
}
