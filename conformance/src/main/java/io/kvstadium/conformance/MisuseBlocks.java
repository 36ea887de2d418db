package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.Transaction;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Steps of a careless program that call from inside blocks, readers and iterators. */
final class MisuseBlocks {
  private MisuseBlocks() {}

  /** What would wait for the caller itself must be refused, wherever it stands. */
  private static void tryWhatIsRefused(Misuser m) {
    Store store = m.store();
    switch (m.random.nextInt(5)) {
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
      default -> {
        if (m.can(Capability.OPTIMISTIC_TRANSACTION) || m.can(Capability.PESSIMISTIC_TRANSACTION)) {
          Misuser.refused("transact", () -> store.transact(m.transactionOptions(), _ -> 0));
        }
      }
    }
  }

  /** What may be done anywhere. */
  private static void callAgain(Misuser m) {
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

  /** A write of its own, to keys that no transaction touches: it happens or is refused. */
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
            Table table = m.store().table(m.anyName()); // makes it, where it must
            byte[] key = m.anyKey();
            batch.on(table).put(key, m.value(table.name(), key));
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
  private interface Putter {
    void put(byte[] key, byte[] value);
  }

  /** Two entries that are only ever written together. */
  private static void putPair(Misuser m, Putter target) {
    long stamp = m.shared().tick();
    for (byte[] key : MisuseHandles.PAIR) {
      target.put(key, Proof.make(Store.DEFAULT_TABLE, key, stamp, 20));
    }
  }

  static void transact(Misuser m) {
    if (m.oneIn(3)) {
      new Block(m, true).runLeaking();
    } else {
      new Block(m, false).runStrictly();
    }
  }

  /** One {@code transact} block. */
  private static final class Block {
    private final Misuser m;

    /** Whether other threads get hold of it: then they may spoil it. */
    private final boolean leaking;

    private final boolean swallows;
    private Map<Integer, byte[]> after = new HashMap<>();
    private Map<String, Long> dropped = Map.of();
    private boolean rolledBack;

    Block(Misuser m, boolean leaking) {
      this.m = m;
      this.leaking = leaking;
      this.swallows = m.oneIn(4);
    }

    void runLeaking() {
      m.store().transact(m.transactionOptions(), this::body);
    }

    /** Whoever keeps its transaction to itself gets what is promised, whatever others do. */
    void runStrictly() {
      Store store = m.store();
      m.forgetTables();
      try {
        store.transact(m.transactionOptions(), this::body);
      } catch (ClosedException e) {
        if (!m.tookDroppable() && !m.shared().isLeaving(store)) {
          throw new WrongAnswer("a transaction was refused, though nobody closed anything", e);
        }
        throw e;
      } catch (BadArgumentException e) {
        throw new WrongAnswer("a transaction was refused without a reason: " + e, e);
      }
      if (!rolledBack) {
        m.own.become(after);
      }
    }

    private int body(Transaction transaction) {
      rolledBack = false;
      dropped = m.shared().dropped();
      after = m.own.copy();
      Table table = transaction.on(m.store().table());
      if (leaking) {
        m.lost().add(new Lost.LostTransaction(transaction, table, dropped), m.random);
      }
      for (int i = m.random.nextInt(10); i >= 0; i--) {
        try {
          call(transaction, table);
        } catch (ConflictException e) {
          if (!swallows) {
            throw e;
          }
        }
      }
      if (m.oneIn(8)) {
        throw new Misuser.OnPurpose();
      }
      if (m.oneIn(8)) {
        transaction.rollback();
        rolledBack = true;
      }
      return 0;
    }

    private void call(Transaction transaction, Table table) {
      switch (m.random.nextInt(10)) {
        case 0, 1 -> own(table);
        case 2, 3 -> {
          Table other = transaction.on(m.tableInside());
          MisuseSteps.change(m, other);
          m.read(other, other.name(), m.anyKey(), dropped);
        }
        case 4, 5, 6 -> {
          if (m.can(Capability.SCAN)) {
            cursor(table);
          }
        }
        case 7 -> putPair(m, table::put);
        case 8 -> Misuser.refused("load", () -> refuseLoad(table));
        default -> callAgain(m);
      }
    }

    private static void refuseLoad(Table table) {
      try {
        table.load(java.util.Collections.emptyIterator(), true);
      } catch (io.kvstadium.store.UnsupportedException e) {
        throw new BadArgumentException("as documented: " + e.getMessage());
      }
    }

    private void own(Table table) {
      int entry = m.random.nextInt(OwnEntries.COUNT);
      byte[] key = m.own.key(entry);
      if (leaking) {
        m.read(table, Store.DEFAULT_TABLE, key, dropped);
        return;
      }
      OwnEntries.demand(
          "in a transaction", after.get(entry), m.read(table, Store.DEFAULT_TABLE, key, dropped));
      if (m.oneIn(4)) {
        table.delete(key);
        after.remove(entry);
      } else {
        byte[] value = m.value(Store.DEFAULT_TABLE, key);
        table.put(key, value);
        after.put(entry, value);
      }
    }

    private void cursor(Table table) {
      Cursor cursor = table.scan(Range.all());
      MisuseHandles.walk(m, cursor, Store.DEFAULT_TABLE, dropped, 5);
      MisuseHandles.leave(m, cursor, Store.DEFAULT_TABLE, !leaking);
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
      throw new WrongAnswer("a load went on though its entries threw", purpose);
    }
  }
}
