package io.kvstadium.conformance;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The child process of a kill test. Opens the store, reports on its standard output what is there,
 * reads from its standard input the number of the operation to continue with, and then writes until
 * it is killed, acknowledging each operation by its number. A negative number asks for an orderly
 * end.
 */
final class KillWorker {
  private final Store store;
  private final List<Table> tables = new ArrayList<>();

  private KillWorker(Store store, KillPlan plan) {
    this.store = store;
    tables.add(store.table());
    if (plan.tables()) {
      tables.add(store.table("second"));
    }
  }

  public static void main(String[] args) throws IOException {
    // Nobody else may write where the acknowledgements go.
    DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)));
    System.setOut(System.err);
    DataInputStream in = new DataInputStream(System.in);
    KillPlan plan =
        new KillPlan(
            Long.parseLong(args[1]), Boolean.parseBoolean(args[2]), Boolean.parseBoolean(args[3]));
    try (Store store = Stadium.open(args[0])) {
      KillWorker worker = new KillWorker(store, plan);
      worker.tellState(out);
      long next = in.readLong();
      while (next >= 0) {
        worker.apply(plan.operation(next));
        out.writeLong(next);
        out.flush();
        next++;
      }
    }
  }

  private void tellState(DataOutputStream out) throws IOException {
    Map<String, String> state = new TreeMap<>();
    for (int table = 0; table < tables.size(); table++) {
      List<String> byGet = new ArrayList<>();
      for (int i = 0; i < KillPlan.KEYS; i++) {
        byte[] key = KillPlan.key(i);
        byte[] value = tables.get(table).get(key);
        if (value != null) {
          byGet.add(Bytes.text(key) + "=" + Bytes.text(value));
          state.put(KillPlan.Change.place(table, key), Bytes.text(value));
        }
      }
      if (store.capabilities().contains(Capability.ORDERED_SCAN)) {
        demandSame(byGet, Bytes.entries(tables.get(table)));
        demandSame(byGet.reversed(), Bytes.entries(tables.get(table), Range.all().reverse()));
      }
    }
    out.writeInt(state.size());
    for (Map.Entry<String, String> entry : state.entrySet()) {
      out.writeUTF(entry.getKey());
      out.writeUTF(entry.getValue());
    }
    out.flush();
  }

  private static void demandSame(List<String> byGet, List<String> byScan) {
    if (!byGet.equals(byScan)) {
      throw new IllegalStateException("get and scan differ: get " + byGet + ", scan " + byScan);
    }
  }

  private void apply(List<KillPlan.Change> changes) {
    if (changes.size() == 1) {
      KillPlan.Change change = changes.getFirst();
      Table table = tables.get(change.table());
      if (change.value() == null) {
        table.delete(change.key());
      } else {
        table.put(change.key(), change.value());
      }
      return;
    }
    store.write(batch -> {
      for (KillPlan.Change change : changes) {
        if (change.value() == null) {
          batch.on(tables.get(change.table())).delete(change.key());
        } else {
          batch.on(tables.get(change.table())).put(change.key(), change.value());
        }
      }
    });
  }
}
