package io.kvstadium.conformance;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.Transaction;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One {@code transact} block of a careless program. */
final class MisuseTransaction {
  private final Misuser m;

  /** Whether other threads get hold of it: then they may spoil it. */
  private final boolean leaking;

  private final boolean swallows;
  private Map<Integer, byte[]> after = new HashMap<>();

  /** As it was before it began, since it may read as of that moment. */
  private final Map<String, Long> dropped;

  private boolean rolledBack;
  private @Nullable RuntimeException halfDone;

  private MisuseTransaction(Misuser m, boolean leaking) {
    this.m = m;
    this.leaking = leaking;
    this.swallows = m.oneIn(4);
    this.dropped = m.shared().dropped();
  }

  static void run(Misuser m) {
    if (m.oneIn(3)) {
      new MisuseTransaction(m, true).runLeaking();
    } else {
      new MisuseTransaction(m, false).runStrictly();
    }
  }

  private void runLeaking() {
    m.store().transact(m.transactionOptions(), this::body);
  }

  /** A thread that keeps its transaction to itself gets what is promised, whatever others do. */
  private void runStrictly() {
    Store store = m.store();
    m.forgetTables();
    try {
      store.transact(m.transactionOptions(), this::body);
    } catch (ClosedException e) {
      if (!m.tookDroppable() && !m.shared().isLeaving(store)) {
        throw new WrongAnswer("a transaction was refused, although nobody closed anything", e);
      }
      throw e;
    } catch (BadArgumentException e) {
      throw new WrongAnswer("a transaction was refused without a reason: " + e, e);
    }
    if (!rolledBack) {
      if (m.hasCallFailed()) {
        throw new WrongAnswer("a transaction was committed although a call in it failed");
      }
      m.own.become(after);
    }
  }

  private int body(Transaction transaction) {
    rolledBack = false;
    halfDone = null;
    m.setCallFailed(false);
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
    if (halfDone != null) {
      throw halfDone;
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
      case 7 -> MisuseBlocks.putPair(m, table::put);
      case 8 -> {
        if (m.oneIn(4)) {
          Misuser.refused("load", () -> refuseLoad(table));
          m.setCallFailed(true);
        }
      }
      default -> MisuseBlocks.callAgain(m);
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
    if (m.oneIn(3)) {
      try {
        new OwnCalls(m, table, after).any();
      } catch (OwnCalls.HalfDone e) {
        halfDone = e.why(); // to be thrown in any case: what is written is not known
      }
      return;
    }
    if (m.oneIn(4)) {
      OwnWalk.any(m, table, after);
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
