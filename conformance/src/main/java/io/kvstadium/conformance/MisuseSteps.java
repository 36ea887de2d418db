package io.kvstadium.conformance;

import static io.kvstadium.conformance.Bytes.bytes;

import io.kvstadium.store.Batch;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** The table of the steps that a {@link Misuser} may take, and those on stores and tables. */
final class MisuseSteps {
  /**
   * @param weight how often it is taken, among all
   * @param needs one of these capabilities; none if any store can take it
   */
  record Step(String name, int weight, Set<Capability> needs, Consumer<Misuser> action) {}

  private static final Set<Capability> NOTHING = Set.of();
  private static final Set<Capability> WRITE = Set.of(Capability.WRITE);
  private static final Set<Capability> BATCH = Set.of(Capability.BATCH);
  private static final Set<Capability> SCAN = Set.of(Capability.SCAN);
  private static final Set<Capability> ORDERED = Set.of(Capability.ORDERED_SCAN);
  private static final Set<Capability> SNAPSHOT = Set.of(Capability.SNAPSHOT);
  private static final Set<Capability> TABLES = Set.of(Capability.TABLES);
  private static final Set<Capability> TRANSACTION = Set.of(Capability.TRANSACTION);

  private static final List<Step> ALL =
      List.of(
          new Step("read", 1_000, NOTHING, MisuseSteps::read),
          new Step("write", 800, WRITE, MisuseSteps::write),
          new Step("read an own entry", 800, NOTHING, MisuseSteps::readOwn),
          new Step("write an own entry", 700, WRITE, MisuseSteps::writeOwn),
          new Step("load an own entry", 40, NOTHING, MisuseSteps::loadOwn),
          new Step("write own entries in a batch", 300, BATCH, MisuseSteps::writeOwnInBatch),
          new Step("scan own entries", 300, SCAN, MisuseSteps::scanOwn),
          new Step("write an own entry by its value", 500, WRITE, MisuseConditions::changeOwn),
          new Step("walk over own entries", 300, ORDERED, MisuseConditions::walkOwn),
          new Step("load from a cursor", 20, ORDERED, MisuseConditions::loadFromCursor),
          new Step("ends of a range", 200, ORDERED, MisuseConditions::ends),
          new Step("add", 200, NOTHING, MisuseConditions::add),
          new Step("add in a transaction", 100, TRANSACTION, MisuseConditions::addInTransaction),
          new Step("expire", 400, WRITE, MisuseExpiry::expire),
          new Step("read with a reader that calls", 500, NOTHING, MisuseBlocks::reader),
          new Step("batch", 400, BATCH, MisuseBlocks::batch),
          new Step("transact", 900, TRANSACTION, MisuseTransaction::run),
          new Step("load", 60, NOTHING, MisuseBlocks::load),
          new Step("scan", 800, SCAN, MisuseHandles::scan),
          new Step("snapshot", 400, SNAPSHOT, MisuseHandles::snapshot),
          new Step("read in a view", 400, NOTHING, MisuseViews::read),
          new Step("keep a table", 150, NOTHING, MisuseHandles::keepTable),
          new Step("use what was lost", 1_500, NOTHING, MisuseHandles::use),
          new Step("close what was lost", 400, NOTHING, MisuseHandles::close),
          new Step("drop a table", 100, TABLES, MisuseSteps::drop),
          new Step("clear a table", 20, WRITE, MisuseSteps::clear),
          new Step("ask", 60, NOTHING, MisuseSteps::ask),
          new Step("count", 30, SCAN, MisuseSteps::count),
          new Step("sync", 10, WRITE, m -> m.store().sync()),
          new Step("compact", 3, Set.of(Capability.COMPACT), MisuseSteps::compact),
          new Step("collect garbage", 10, NOTHING, _ -> System.gc()),
          new Step("interrupt", 200, NOTHING, Misuser::interruptOne),
          new Step("open twice", 20, NOTHING, m -> m.shared().openTwice(m.random)),
          new Step("close and open", 15, NOTHING, m -> m.shared().closeAndOpen(m.random)));

  private final List<Step> possible;
  private final int weights;

  /** Those that a store with these capabilities can take, without those of these names. */
  MisuseSteps(Set<Capability> capabilities, Set<String> without) {
    possible =
        ALL.stream()
            .filter(step -> !without.contains(step.name()))
            .filter(step ->
                step.needs().isEmpty() || step.needs().stream().anyMatch(capabilities::contains))
            .toList();
    weights = possible.stream().mapToInt(Step::weight).sum();
  }

  Step any(SplittableRandom random) {
    int left = random.nextInt(weights);
    for (Step step : possible) {
      left -= step.weight();
      if (left < 0) {
        return step;
      }
    }
    throw new IllegalStateException("not reached");
  }

  private static void read(Misuser m) {
    Table table = m.store().table(m.anyName());
    m.read(table, table.name(), m.anyKey(), m.shared().dropped());
  }

  static void write(Misuser m) {
    change(m, m.store().table(m.anyName()));
  }

  /** Changes entries that belong to all. */
  static void change(Misuser m, Table table) {
    byte[] key = m.anyKey();
    switch (m.random.nextInt(8)) {
      case 0, 1 -> table.delete(key);
      case 2, 3 -> MisuseConditions.change(m, table);
      default -> table.put(key, m.value(table.name(), key));
    }
  }

  private static void readOwn(Misuser m) {
    m.strictly(() -> {
      int entry = m.random.nextInt(OwnEntries.COUNT);
      Table table = m.store().table();
      byte[] seen = m.read(table, Store.DEFAULT_TABLE, m.own.key(entry), Map.of());
      m.checkOwn("read", entry, seen);
      if (table.exists(m.own.key(entry)) != (seen != null)) {
        throw new WrongAnswer("exists() contradicts get()");
      }
    });
  }

  private static void writeOwn(Misuser m) {
    m.strictly(() -> {
      Map<Integer, byte[]> after = m.own.copy();
      int entry = m.random.nextInt(OwnEntries.COUNT);
      if (m.oneIn(4)) {
        m.store().table().delete(m.own.key(entry));
        after.remove(entry);
      } else {
        byte[] value = m.value(Store.DEFAULT_TABLE, m.own.key(entry));
        m.store().table().put(m.own.key(entry), value);
        after.put(entry, value);
      }
      m.own.become(after);
    });
  }

  private static void loadOwn(Misuser m) {
    m.strictly(() -> {
      Map<Integer, byte[]> after = m.own.copy();
      List<Entry> entries = new ArrayList<>();
      for (int entry = m.random.nextInt(OwnEntries.COUNT); entry < OwnEntries.COUNT; entry++) {
        byte[] value = m.value(Store.DEFAULT_TABLE, m.own.key(entry));
        entries.add(new Entry(m.own.key(entry), value));
        after.put(entry, value);
      }
      m.store().table().load(entries.iterator(), true);
      m.own.become(after);
    });
  }

  private static void writeOwnInBatch(Misuser m) {
    m.strictly(() -> {
      Map<Integer, byte[]> after = new HashMap<>();
      m.store().write(batch -> after.putAll(writeOwn(m, batch)));
      m.own.become(after);
    });
  }

  private static Map<Integer, byte[]> writeOwn(Misuser m, Batch batch) {
    Map<Integer, byte[]> after = m.own.copy();
    for (int i = 0; i < 3; i++) {
      int entry = m.random.nextInt(OwnEntries.COUNT);
      byte[] value = m.value(Store.DEFAULT_TABLE, m.own.key(entry));
      batch.on(m.store().table()).put(m.own.key(entry), value);
      after.put(entry, value);
      if (m.oneIn(8) && m.can(Capability.ORDERED_SCAN)) {
        OwnCalls.Span span = OwnCalls.Span.any(m);
        batch.on(m.store().table()).delete(span.range(m));
        after.keySet().removeAll(span.of(after).keySet());
      }
    }
    return after;
  }

  private static void scanOwn(Misuser m) {
    m.strictly(() -> {
      Map<Integer, byte[]> left = m.own.copy();
      Range range = m.can(Capability.ORDERED_SCAN) ? Range.prefix(m.own.prefix()) : Range.all();
      try (Cursor cursor = m.store().table().scan(range)) {
        while (cursor.next()) {
          m.own.entries(entry -> {
            if (java.util.Arrays.equals(cursor.key(), m.own.key(entry))) {
              m.checkOwn("scan", entry, cursor.value());
              left.remove(entry);
            }
          });
        }
      }
      if (!left.isEmpty()) {
        throw new WrongAnswer("a scan did not find the own entries " + left.keySet());
      }
    });
  }

  private static void drop(Misuser m) {
    m.shared().drop(m.store(), m.anyNameToDrop());
  }

  private static void clear(Misuser m) {
    if (m.can(Capability.TABLES)) {
      m.store().table(m.anyNameToDrop()).clear();
    }
  }

  private static void ask(Misuser m) {
    m.store().stats();
    m.store().background();
    m.strictly(() -> {
      if (m.can(Capability.TABLES) && !m.store().tables().contains(Store.DEFAULT_TABLE)) {
        throw new WrongAnswer("the default table is not among " + m.store().tables());
      }
    });
  }

  private static void count(Misuser m) {
    Table table = m.store().table(m.anyName());
    if (table.count() < 0
        || (m.can(Capability.ESTIMATED_COUNT) && table.estimateCount() < 0)
        || table.exists(bytes("never written"))) {
      throw new WrongAnswer("a count is below 0, or an entry that nobody wrote is there");
    }
  }

  private static void compact(Misuser m) {
    m.store().table(m.anyName()).compact();
  }
}
