package io.kvstadium.store.contract;

import static io.kvstadium.store.contract.Bytes.bytes;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.Transaction;
import io.kvstadium.store.TransactionMode;
import io.kvstadium.store.TransactionOptions;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.contract.LeakedHandles.LeakedBatch;
import io.kvstadium.store.contract.LeakedHandles.LeakedCursor;
import io.kvstadium.store.contract.LeakedHandles.LeakedTable;
import io.kvstadium.store.contract.LeakedHandles.LeakedTransaction;
import io.kvstadium.store.contract.LeakedHandles.LeakedView;
import java.io.Serial;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One thread of a careless program: takes steps, and knows what it may find. Some keys are its own:
 * nobody else writes them, so that it knows their exact values. All other values say where they
 * belong.
 */
final class StressActor implements Runnable {
  private static final List<String> TABLES = List.of(Store.DEFAULT_TABLE, "t0", "t1");
  private static final int SHARED_KEYS = 40;
  private static final int OWN_KEYS = 6;
  private static final byte[] COUNTER = bytes("counter");

  /** Two keys that are only ever written together. */
  private static final List<byte[]> PAIR = List.of(bytes("pair-a"), bytes("pair-b"));

  private final StressTest test;
  private final SharedStore shared;
  private final LeakedHandles leaked;
  private final SplittableRandom random;
  private final String prefix;

  /** The own entries of the default table, by number, as the store acknowledged them. */
  private Map<Integer, byte[]> own = new TreeMap<>();

  private Store store;
  private volatile String step = "nothing yet";
  private volatile long stepBegan = Long.MAX_VALUE;

  StressActor(StressTest test, int number, SplittableRandom random) {
    this.test = test;
    this.shared = test.shared();
    this.leaked = test.leaked();
    this.random = random;
    this.prefix = "own" + number + "-";
    this.store = shared.get();
  }

  /** Thrown by the program itself out of a block, a reader or an iterator. */
  private static final class OnPurpose extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;
  }

  @Override
  public void run() {
    try {
      for (int i = 1; test.goesOn(); i++) {
        take(i);
      }
    } catch (Throwable e) {
      test.fail(this + " of " + Thread.currentThread().getName(), e);
    }
    stepBegan = Long.MAX_VALUE;
  }

  @Override
  public String toString() {
    return step;
  }

  boolean isInStepFor(Duration limit) {
    long began = stepBegan;
    return began != Long.MAX_VALUE && System.nanoTime() - began > limit.toNanos();
  }

  /** A step ends well, or with an exception that is documented. */
  private void take(int number) {
    stepBegan = System.nanoTime();
    store = shared.get();
    int drawn = random.nextInt(100);
    step = "step " + number + ", kind " + drawn;
    try {
      step(drawn);
    } catch (ClosedException
        | BadArgumentException
        | ConflictException
        | UnsupportedException
        | OnPurpose e) {
      // as documented
    } catch (StadiumException e) {
      boolean spoilt =
          e.getCause() instanceof StadiumException || e.getCause() instanceof OnPurpose;
      if (!spoilt) { // a block was not applied because a call in it had failed, and it went on
        throw e;
      }
    }
    if (oneIn(3)) {
      Thread.interrupted();
    }
  }

  private void step(int drawn) {
    if (drawn < 10) {
      read(store.table(anyName()), null);
    } else if (drawn < 18) {
      write(store.table(anyName()));
    } else if (drawn < 36) {
      strictly(() -> useOwn(store.table(), own));
    } else if (drawn < 40) {
      strictly(this::writeOwnTogether);
    } else if (drawn < 44) {
      strictly(this::count);
    } else if (drawn < 49) {
      callFromReader();
    } else if (drawn < 54) {
      batch();
    } else if (drawn < 64) {
      transact();
    } else if (drawn < 71) {
      scan(store.table(anyName()));
    } else if (drawn < 78) {
      view();
    } else if (drawn < 80) {
      leaked.add(new LeakedTable(store.table(anyName())), random);
    } else if (drawn < 94) {
      useLeaked();
    } else if (drawn < 96) {
      test.interruptOne(random);
    } else {
      rare();
    }
  }

  private void rare() {
    switch (random.nextInt(40)) {
      case 0 -> shared.reopen(random);
      case 1 -> System.gc();
      case 2, 3 -> store.table(nameToDrop()).clear();
      case 4 -> store.table(anyName()).compact();
      case 5 -> store.sync();
      case 6, 7 -> store.stats();
      case 8, 9 -> store.table(anyName()).estimateCount();
      case 10, 11 -> store.table(anyName()).count();
      case 12, 13, 14, 15 -> loadThatCalls();
      default -> shared.drop(store, nameToDrop());
    }
  }

  // ---- what is drawn

  private boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  private String anyName() {
    return TABLES.get(random.nextInt(TABLES.size()));
  }

  private String nameToDrop() {
    return TABLES.get(1 + random.nextInt(TABLES.size() - 1));
  }

  private byte[] anyKey() {
    return sharedKey(random.nextInt(SHARED_KEYS));
  }

  private static byte[] sharedKey(int number) {
    return bytes("s%02d".formatted(number));
  }

  private byte[] ownKey(int entry) {
    return bytes(prefix + entry);
  }

  /** A value for this place; made after the table was taken, see {@link SharedStore#dropped}. */
  private byte[] value(String table, byte[] key) {
    return TaggedValue.make(table, key, shared.tick(), oneIn(40) ? 5_000 : random.nextInt(150));
  }

  private TransactionOptions options() {
    return TransactionOptions.DEFAULT
        .mode(oneIn(2) ? TransactionMode.OPTIMISTIC : TransactionMode.PESSIMISTIC)
        .retryTimeout(Duration.ofMillis(100))
        .lockTimeout(Duration.ofMillis(100));
  }

  private Range<byte[]> anyRange() {
    Range<byte[]> range =
        switch (random.nextInt(3)) {
          case 0 -> Range.all();
          case 1 -> Range.<byte[]>all().from(anyKey(), oneIn(2));
          default -> Range.between(anyKey(), anyKey());
        };
    return oneIn(3) ? range.reverse() : range;
  }

  // ---- what must hold

  /** A call that concerns nobody else is refused only while the store closes. */
  private void strictly(Runnable call) {
    Store used = store;
    try {
      call.run();
    } catch (ClosedException e) {
      if (!shared.isLeaving(used)) {
        throw new AssertionError("refused, although nobody closed anything", e);
      }
      throw e;
    } catch (BadArgumentException | UnsupportedException e) {
      throw new AssertionError("refused without a reason", e);
    }
  }

  private static void refused(Runnable call) {
    try {
      call.run();
    } catch (BadArgumentException e) {
      return;
    }
    throw new AssertionError("what would wait for its caller was not refused");
  }

  /** Checks a value; {@code dropped} is as it was when the reading began. */
  private void check(String table, byte[] key, byte[] value, Map<String, Long> dropped) {
    if (Arrays.equals(key, COUNTER)) {
      return;
    }
    long stamp = TaggedValue.check(table, key, value);
    if (stamp < dropped.getOrDefault(table, 0L)) {
      throw new AssertionError("table " + table + " was dropped and yet has an older value");
    }
    test.countCheck();
  }

  private void checkOwn(@Nullable Object expected, @Nullable Object found) {
    if (!Objects.deepEquals(expected, found)) {
      throw new AssertionError("an own entry is not as it was written last");
    }
    test.countCheck();
  }

  void checkAtTheEnd(Store last) {
    for (int i = 0; i < OWN_KEYS; i++) {
      checkOwn(own.get(i), last.table().get(ownKey(i)));
    }
    checkCounter(last.table().increment(COUNTER, 0), shared.acknowledged.get());
  }

  private void checkCounter(long seen, long least) {
    if (seen < least || seen > shared.begun.get()) {
      throw new AssertionError("the counter is %d, not from %d on".formatted(seen, least));
    }
  }

  // ---- reads and writes

  /** Reads in one of the ways there are. */
  private byte @Nullable [] get(TableReader<byte[], byte[]> from, byte[] key) {
    return switch (random.nextInt(4)) {
      case 0 -> from.get(key, view -> view.toArray(ValueLayout.JAVA_BYTE));
      case 1 -> from.multiGet(List.of(key, key)).getLast();
      default -> from.get(key);
    };
  }

  private void read(Table<byte[], byte[]> from, @Nullable Map<String, Long> before) {
    Map<String, Long> dropped = before == null ? shared.dropped() : before;
    byte[] key = anyKey();
    byte[] value = get(from, key);
    if (value != null) {
      check(from.name(), key, value, dropped);
    }
  }

  /** Changes shared entries, in a table of the store or of a transaction. */
  private void write(Table<byte[], byte[]> table) {
    byte[] key = anyKey();
    byte[] value = value(table.name(), key);
    switch (random.nextInt(10)) {
      case 0, 1 -> table.delete(key);
      case 2 -> table.putIfAbsent(key, value);
      case 3 -> {
        byte[] seen = table.get(key);
        if (seen != null) {
          table.replace(key, seen, value);
        }
      }
      case 4 -> table.delete(Range.between(anyKey(), anyKey()));
      case 5 ->
          table.compute(
              key,
              now -> {
                if (now != null) {
                  TaggedValue.check(table.name(), key, now);
                }
                callInside();
                return oneIn(4) ? null : value;
              });
      default -> table.put(key, value);
    }
  }

  /** Uses the own entries, which are {@code known}, in a table of the store or a transaction. */
  private void useOwn(Table<byte[], byte[]> table, Map<Integer, byte[]> known) {
    int entry = random.nextInt(OWN_KEYS);
    byte[] key = ownKey(entry);
    byte[] value = value(Store.DEFAULT_TABLE, key);
    byte[] present = known.get(entry);
    switch (random.nextInt(8)) {
      case 0 -> {
        table.delete(key);
        known.remove(entry);
      }
      case 1 -> {
        checkOwn(present == null, table.putIfAbsent(key, value));
        known.putIfAbsent(entry, value);
      }
      case 2 -> {
        byte[] result = table.compute(key, now -> Arrays.equals(now, present) ? value : null);
        checkOwn(value, result);
        known.put(entry, value);
      }
      case 3 -> {
        int to = random.nextInt(OWN_KEYS);
        long inside = IntStream.range(entry, to).filter(known::containsKey).count();
        checkOwn(inside, table.delete(Range.between(key, ownKey(to))));
        known.keySet().removeIf(each -> each >= entry && each < to);
      }
      case 4 -> checkAllOwn(table, known);
      case 5 -> checkOwn(present == null ? "none" : present, orNone(get(table, key)));
      default -> {
        table.put(key, value);
        known.put(entry, value);
      }
    }
  }

  private static Object orNone(byte @Nullable [] value) {
    return value == null ? "none" : value;
  }

  private void checkAllOwn(TableReader<byte[], byte[]> table, Map<Integer, byte[]> known) {
    Range<byte[]> range = Range.prefix(bytes(prefix));
    Map<String, byte[]> found = new TreeMap<>();
    try (Cursor<byte[], byte[]> cursor = table.scan(oneIn(2) ? range : range.reverse())) {
      while (cursor.next()) {
        found.put(String.valueOf(Bytes.text(cursor.key())), cursor.value());
      }
    }
    checkOwn(known.size(), found.size());
    known.forEach((entry, value) -> checkOwn(value, found.get(prefix + entry)));
  }

  /** By a batch or a load. */
  private void writeOwnTogether() {
    Map<Integer, byte[]> after = new TreeMap<>(own);
    for (int i = random.nextInt(OWN_KEYS); i < OWN_KEYS; i++) {
      after.put(i, value(Store.DEFAULT_TABLE, ownKey(i)));
    }
    if (oneIn(4)) {
      store
          .table()
          .bulkLoad(
              after.entrySet().stream()
                  .map(entry -> new Entry<>(ownKey(entry.getKey()), entry.getValue()))
                  .iterator(),
              true);
    } else {
      store.write(
          batch -> after.forEach((entry, value) -> batch.put(store.table(), ownKey(entry), value)));
    }
    own = after;
  }

  /** Adds to what all add to: what was acknowledged and what was begun are its bounds. */
  private void count() {
    long delta = 1L + random.nextInt(9);
    long least = shared.acknowledged.get() + delta;
    boolean rollsBack = oneIn(6);
    shared.begun.addAndGet(delta);
    boolean added = false;
    try {
      long sum =
          oneIn(2)
              ? store.transact(
                  options(),
                  tx -> {
                    long result = tx.on(store.table()).increment(COUNTER, delta);
                    if (rollsBack) {
                      tx.rollback();
                    }
                    return rollsBack ? -1 : result;
                  })
              : store.table().increment(COUNTER, delta);
      if (sum >= 0) {
        checkCounter(sum, least);
        added = true;
      }
    } finally {
      (added ? shared.acknowledged : shared.begun).addAndGet(added ? delta : -delta);
    }
  }

  // ---- calls from inside

  /** What may be done anywhere, and what is refused anywhere. */
  private void callInside() {
    switch (random.nextInt(10)) {
      case 0 -> refused(store::close);
      case 1 -> refused(() -> store.dropTable(nameToDrop()));
      case 2 -> refused(() -> store.write(_ -> {}));
      case 3 -> refused(() -> store.transact(options(), _ -> 0));
      case 4 -> refused(() -> store.table().increment(COUNTER, 1));
      case 5 -> read(store.table(), null);
      case 6 -> scan(store.table());
      case 7 -> view();
      default -> {}
    }
  }

  private void callFromReader() {
    Table<byte[], byte[]> table = store.table(anyName());
    Map<String, Long> dropped = shared.dropped();
    byte[] key = anyKey();
    byte[] value =
        table.get(
            key,
            view -> {
              callInside();
              if (oneIn(10)) {
                throw new OnPurpose();
              }
              return view.toArray(ValueLayout.JAVA_BYTE);
            });
    if (value != null) {
      check(table.name(), key, value, dropped);
    }
  }

  private void loadThatCalls() {
    Table<byte[], byte[]> table = store.table(anyName());
    int count = random.nextInt(10);
    table.bulkLoad(
        IntStream.range(0, count)
            .mapToObj(_ -> {
              callInside();
              if (oneIn(20)) {
                throw new OnPurpose();
              }
              byte[] key = anyKey();
              return new Entry<>(key, value(table.name(), key));
            })
            .iterator(),
        false);
  }

  private void batch() {
    store.write(batch -> {
      if (oneIn(3)) {
        leaked.add(new LeakedBatch(batch), random);
      }
      for (int i = random.nextInt(6); i >= 0; i--) {
        Table<byte[], byte[]> table = store.table(anyName()); // makes it, if it must
        byte[] key = anyKey();
        batch.put(table, key, value(table.name(), key));
        if (oneIn(10) && store.capabilities().contains(Capability.RANGE_DELETE)) {
          batch.delete(table, Range.between(anyKey(), anyKey()));
        }
        callInside();
      }
      long stamp = shared.tick();
      for (byte[] key : PAIR) {
        batch.put(store.table(), key, TaggedValue.make(Store.DEFAULT_TABLE, key, stamp, 20));
      }
      if (oneIn(8)) {
        throw new OnPurpose();
      }
    });
  }

  private void transact() {
    Map<String, Long> dropped = shared.dropped();
    boolean leaks = oneIn(3); // then others may spoil it
    if (leaks) {
      store.transact(
          options(),
          tx -> {
            leaked.add(new LeakedTransaction(tx, tx.on(store.table())), random);
            for (int i = random.nextInt(10); i >= 0; i--) {
              callInTransaction(tx, dropped);
            }
            return 0;
          });
      return;
    }
    strictly(() -> {
      Map<Integer, byte[]> after = new TreeMap<>();
      boolean committed =
          store.transact(
              options(),
              tx -> {
                after.clear();
                after.putAll(own);
                for (int i = random.nextInt(6); i >= 0; i--) {
                  useOwn(tx.on(store.table()), after);
                }
                if (oneIn(8)) {
                  throw new OnPurpose();
                }
                boolean rollsBack = oneIn(8);
                if (rollsBack) {
                  tx.rollback();
                }
                return !rollsBack;
              });
      if (committed) {
        own = after;
      }
    });
  }

  private void callInTransaction(Transaction tx, Map<String, Long> dropped) {
    switch (random.nextInt(6)) {
      case 0, 1 -> write(tx.on(store.table(anyName())));
      case 2 -> read(tx.on(store.table(anyName())), dropped);
      case 3, 4 -> scan(tx.on(store.table()));
      default -> callInside();
    }
  }

  // ---- handles

  private void scan(TableReader<byte[], byte[]> from) {
    String table = ((Table<byte[], byte[]>) from).name();
    Map<String, Long> dropped = table.equals(Store.DEFAULT_TABLE) ? Map.of() : shared.dropped();
    Cursor<byte[], byte[]> cursor = from.scan(anyRange());
    if (oneIn(6)) {
      Iterator<Entry<byte[], byte[]>> rest = cursor.iterator();
      for (int i = random.nextInt(20); i >= 0 && rest.hasNext(); i--) {
        Entry<byte[], byte[]> entry = rest.next();
        check(table, entry.key(), entry.value(), dropped);
      }
    }
    for (int i = random.nextInt(30); i > 0 && cursor.next(); i--) {
      check(table, cursor.key(), cursor.value(), dropped);
    }
    switch (random.nextInt(6)) {
      case 0 -> {} // forgotten
      case 1 -> leaked.add(new LeakedCursor(cursor, table), random);
      case 2 -> {
        cursor.close();
        cursor.close();
      }
      default -> cursor.close();
    }
  }

  private void view() {
    Snapshot snapshot = store.snapshot();
    read(snapshot);
    switch (random.nextInt(4)) {
      case 0 -> {} // forgotten
      case 1 -> leaked.add(new LeakedView(snapshot), random);
      default -> {
        snapshot.close();
        snapshot.close();
      }
    }
  }

  /** A view of one state has both of a pair or none. */
  private void read(Snapshot view) {
    TableReader<byte[], byte[]> then = view.on(store.table());
    byte[] one = then.get(PAIR.getFirst());
    byte[] two = then.get(PAIR.getLast());
    long first = one == null ? -1 : TaggedValue.check(Store.DEFAULT_TABLE, PAIR.getFirst(), one);
    long second = two == null ? -1 : TaggedValue.check(Store.DEFAULT_TABLE, PAIR.getLast(), two);
    if (first != second) {
      throw new AssertionError("a view has half of a batch");
    }
    if (oneIn(3)) {
      scan(then);
    }
  }

  /** Uses or ends what another thread leaked, at any time. */
  private void useLeaked() {
    boolean ends = oneIn(5);
    switch (leaked.find(random)) {
      case LeakedCursor(Cursor<byte[], byte[]> cursor, String table) -> {
        if (ends) {
          cursor.close();
        } else if (cursor.next()) {
          byte[] value = cursor.value(); // others may have moved it since
          if (value.length != Long.BYTES) { // as the counter's is
            TaggedValue.check(table, null, value);
          }
          cursor.seek(anyKey());
        }
      }
      case LeakedView(Snapshot snapshot) when ends -> snapshot.close();
      case LeakedView(Snapshot snapshot) -> read(snapshot);
      case LeakedTransaction(Transaction tx, Table<byte[], byte[]> table) -> {
        if (ends) {
          tx.rollback();
        } else if (oneIn(3)) {
          scan(table);
        } else {
          write(table);
        }
      }
      case LeakedBatch(var batch) -> {
        Table<byte[], byte[]> table = store.table(anyName());
        byte[] key = anyKey();
        batch.put(table, key, value(table.name(), key));
      }
      case LeakedTable(Table<byte[], byte[]> table) -> {
        read(table, null);
        write(table);
      }
      case null -> {}
    }
  }
}
