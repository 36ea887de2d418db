package io.kvstadium.conformance;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Codec;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.ExpiringTable;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TypedRange;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Steps of a careless program with an {@link ExpiringTable}: it is on top of the default table,
 * which has values of other forms too, and each thread creates its own for each step.
 */
final class MisuseExpiry {
  private static final Duration USUAL = Duration.ofSeconds(20);

  private final Misuser m;
  private final SharedStore.Clock clock;
  private final ExpiringTable<byte[], byte[]> table;
  private final int entry;
  private final byte[] key;

  private MisuseExpiry(Misuser m, ExpiringTable<byte[], byte[]> table) {
    this.m = m;
    this.clock = m.shared().time();
    this.table = table;
    this.entry = m.random.nextInt(OwnExpiring.COUNT);
    this.key = m.expiring.key(entry);
  }

  static void expire(Misuser m) {
    if (!m.can(Capability.SCAN)) {
      return;
    }
    if (m.oneIn(8)) {
      m.shared().time().pass(1_000 + m.random.nextInt(15_000));
    }
    m.strictly(() -> {
      Table raw = m.store().table();
      new MisuseExpiry(m, over(m, raw)).call();
    });
  }

  private static ExpiringTable<byte[], byte[]> over(Misuser m, Table raw) {
    return ExpiringTable.of(raw.typed(Codec.BYTES, Codec.BYTES), USUAL, m.shared().time());
  }

  private void call() {
    switch (m.random.nextInt(12)) {
      case 0 -> put(USUAL);
      case 1 -> put(Duration.ofMillis(1 + m.random.nextInt(60_000)));
      case 2 -> putIfAbsent();
      case 3 -> update();
      case 4 -> touch();
      case 5 -> delete();
      case 6 -> stream();
      case 7 -> writeTogether();
      case 8 -> misuse();
      case 9 -> {
        if (m.oneIn(4)) {
          table.sweep();
        }
        read();
      }
      default -> read();
    }
  }

  private byte[] newValue() {
    return m.value(Store.DEFAULT_TABLE, key);
  }

  private OwnExpiring.Due due(byte[] value, long begin, Duration time) {
    return new OwnExpiring.Due(value, begin + time.toMillis(), clock.millis() + time.toMillis());
  }

  private void read() {
    long begin = clock.millis();
    byte[] seen = table.get(key);
    m.expiring.check("get", entry, seen, begin, clock.millis());
    m.countCheck();
    java.time.Instant expiry = table.expiry(key);
    OwnExpiring.Due due = m.expiring.get(entry);
    if (expiry != null
        && (due == null
            || expiry.toEpochMilli() < due.from()
            || expiry.toEpochMilli() > due.to())) {
      throw new WrongAnswer("an entry is due at %s, not at %s".formatted(expiry, due));
    }
  }

  private void put(Duration time) {
    byte[] value = newValue();
    long begin = clock.millis();
    table.put(key, value, time);
    m.expiring.set(entry, due(value, begin, time));
  }

  private void putIfAbsent() {
    byte[] value = newValue();
    long begin = clock.millis();
    boolean put = table.putIfAbsent(key, value);
    if (put ? !m.expiring.mayBeGone(entry, clock.millis()) : !m.expiring.mayBeThere(entry, begin)) {
      throw new WrongAnswer("putIfAbsent answered " + put + " for " + m.expiring.get(entry));
    }
    if (put) {
      m.expiring.set(entry, due(value, begin, USUAL));
    }
  }

  /** The function sees what is not due, and may end it, give it another value, or throw. */
  private void update() {
    byte[] value = m.oneIn(3) ? null : newValue();
    Misuser.@Nullable OnPurpose purpose = m.oneIn(4) ? new Misuser.OnPurpose() : null;
    long begin = clock.millis();
    boolean[] found = new boolean[1];
    try {
      table.update(
          key,
          given -> {
            m.expiring.check("given to an update", entry, given, begin, clock.millis());
            found[0] = given != null;
            MisuseBlocks.callInFunction(m);
            if (purpose != null) {
              throw purpose;
            }
            return value;
          });
    } catch (Misuser.OnPurpose e) {
      if (e == purpose) {
        return;
      }
      throw e;
    }
    OwnExpiring.Due before = m.expiring.get(entry);
    if (value == null) {
      m.expiring.set(entry, null);
    } else if (found[0] && before != null) {
      m.expiring.set(entry, new OwnExpiring.Due(value, before.from(), before.to()));
    } else {
      m.expiring.set(entry, due(value, begin, USUAL));
    }
  }

  private void touch() {
    Duration time = Duration.ofMillis(1 + m.random.nextInt(60_000));
    long begin = clock.millis();
    boolean there = table.touch(key, time);
    OwnExpiring.Due before = m.expiring.get(entry);
    if (there
        ? !m.expiring.mayBeThere(entry, begin)
        : !m.expiring.mayBeGone(entry, clock.millis())) {
      throw new WrongAnswer("touch answered " + there + " for " + before);
    }
    m.expiring.set(entry, there && before != null ? due(before.value(), begin, time) : null);
  }

  private void delete() {
    table.delete(key);
    m.expiring.set(entry, null);
  }

  private void stream() {
    if (!m.can(Capability.ORDERED_SCAN)) {
      return;
    }
    long begin = clock.millis();
    Set<Integer> missing = new HashSet<>();
    for (int i = 0; i < OwnExpiring.COUNT; i++) {
      missing.add(i);
    }
    try (Stream<Map.Entry<byte[], byte[]>> stream =
        table.stream(TypedRange.prefix(m.expiring.prefix()))) {
      stream.forEach(seen -> {
        int found = seen.getKey()[seen.getKey().length - 1] - '0';
        m.expiring.check("in a stream", found, seen.getValue(), begin, clock.millis());
        missing.remove(found);
      });
    }
    for (int each : missing) {
      m.expiring.check("in a stream", each, null, begin, clock.millis());
    }
  }

  /** By a batch, or in a transaction that may be rolled back. */
  private void writeTogether() {
    byte[] value = newValue();
    long begin = clock.millis();
    if (m.can(Capability.BATCH) && m.oneIn(2)) {
      m.store().write(batch -> table.on(batch).put(key, value));
    } else if (m.can(Capability.TRANSACTION)) {
      boolean rollsBack = m.oneIn(3);
      m.store()
          .transact(
              m.transactionOptions(),
              tx -> {
                ExpiringTable<byte[], byte[]> inside = table.on(tx);
                byte[] seen = inside.get(key);
                m.expiring.check("in a transaction", entry, seen, begin, clock.millis());
                inside.put(key, value);
                if (rollsBack) {
                  tx.rollback();
                }
                return 0;
              });
      if (rollsBack) {
        return;
      }
    } else {
      return;
    }
    m.expiring.set(entry, due(value, begin, USUAL));
  }

  private void misuse() {
    switch (m.random.nextInt(4)) {
      case 0 -> readForeign();
      case 1 -> Misuser.refused("no time to live", () -> table.put(key, newValue(), Duration.ZERO));
      case 2 -> {
        if (m.can(Capability.SNAPSHOT)) {
          Table then = m.store().read(view -> (Table) view.on(m.store().table()));
          Misuser.refused("an expiring table of a snapshot", () -> over(m, then));
        }
      }
      default -> {
        if (m.can(Capability.TABLES)) {
          keepOver(m.tableInside());
        }
      }
    }
  }

  /** What was not put by this layer is reported as such, and is not swept. */
  private void readForeign() {
    int foreign = m.random.nextInt(OwnEntries.COUNT);
    if (m.own.copy().containsKey(foreign)) {
      try {
        table.get(m.own.key(foreign));
      } catch (CorruptException e) {
        return;
      }
      throw new WrongAnswer("a value without an expiry time was taken for one with it");
    }
  }

  /** Over a table that may be dropped: nothing there has the form. */
  private void keepOver(Table any) {
    try {
      over(m, any).get(m.anyKey());
    } catch (CorruptException | io.kvstadium.store.ClosedException | BadArgumentException e) {
      // it has an entry of that key, or was dropped
    }
  }
}
