package io.kvstadium.conformance;

import io.kvstadium.store.Batch;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a kill test. What operation number n does follows from seed and n alone, so that
 * parent and child need not communicate about it, and the state after any number of operations can
 * be computed.
 */
record KillPlan(long seed, boolean tables, boolean batches) {
  /** Keys per table; few, so that most operations overwrite or delete. */
  static final int KEYS = 40;

  /** One write; more than one of them is a batch. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Change(int table, byte[] key, byte @Nullable [] value) {
    String place() {
      return place(table, key);
    }

    static String place(int table, byte[] key) {
      return table + "/" + Bytes.text(key);
    }
  }

  /** The same plan in another process. */
  static KillPlan of(String arguments) {
    String[] parts = arguments.split(",", -1);
    return new KillPlan(
        Long.parseLong(parts[0]), Boolean.parseBoolean(parts[1]), Boolean.parseBoolean(parts[2]));
  }

  /** For {@link #of}. */
  String arguments() {
    return seed + "," + tables + "," + batches;
  }

  int tableCount() {
    return tables ? 2 : 1;
  }

  List<Change> operation(long number) {
    SplittableRandom random = new SplittableRandom(seed ^ (number * 0x9E3779B97F4A7C15L));
    int size = batches && random.nextInt(3) == 0 ? 2 + random.nextInt(8) : 1;
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int table = random.nextInt(tableCount());
      byte[] key = Bytes.key(random.nextInt(KEYS));
      int length = random.nextInt(10) == 0 ? 5_000 : random.nextInt(200);
      boolean delete = random.nextInt(4) == 0;
      changes.add(
          new Change(table, key, delete ? null : Bytes.value(8 + length, seed + number * 16 + i)));
    }
    return changes;
  }

  /** What is there after the first {@code operations} of the plan. */
  Map<String, String> state(long operations) {
    Map<String, String> state = new TreeMap<>();
    for (long n = 0; n < operations; n++) {
      for (Change change : operation(n)) {
        if (change.value() == null) {
          state.remove(change.place());
        } else {
          state.put(change.place(), Bytes.text(change.value()));
        }
      }
    }
    return state;
  }

  private static Table<byte[], byte[]> table(Store store, int number) {
    return number == 0 ? store.table() : store.table("second");
  }

  /** Makes one of its operations. */
  void carryOut(Store store, long number) {
    List<Change> changes = operation(number);
    if (changes.size() == 1) {
      Change change = changes.getFirst();
      Table<byte[], byte[]> table = table(store, change.table());
      if (change.value() == null) {
        table.delete(change.key());
      } else {
        table.put(change.key(), change.value());
      }
    } else {
      store.write(batch -> changes.forEach(change -> add(batch, store, change)));
    }
  }

  private static void add(Batch batch, Store store, Change change) {
    Table<byte[], byte[]> table = table(store, change.table());
    if (change.value() == null) {
      batch.delete(table, change.key());
    } else {
      batch.put(table, change.key(), change.value());
    }
  }

  /** What a store holds, as a text that equals that of {@link #state}; get and scan must agree. */
  String stateOf(Store store) {
    Map<String, String> state = new TreeMap<>();
    for (int number = 0; number < tableCount(); number++) {
      Table<byte[], byte[]> table = table(store, number);
      List<String> byGet = new ArrayList<>();
      for (int i = 0; i < KEYS; i++) {
        byte[] value = table.get(Bytes.key(i));
        if (value != null) {
          byGet.add(Bytes.text(Bytes.key(i)) + "=" + Bytes.text(value));
          state.put(Change.place(number, Bytes.key(i)), Bytes.text(value));
        }
      }
      if (store.capabilities().contains(Capability.ORDERED_SCAN)
          && !(byGet.equals(Bytes.entries(table))
              && byGet.reversed().equals(Bytes.entries(table, Range.<byte[]>all().reverse())))) {
        return "get and scan differ: get " + byGet + ", scan " + Bytes.entries(table);
      }
    }
    return state.toString();
  }

  @Override
  public String toString() {
    return Seed.again(seed);
  }
}
