package io.kvstadium.server.database;

import org.jspecify.annotations.Nullable;

/** What a commit group changes in a database's {@link Counters}. Belongs to the group's thread. */
final class CounterChanges {
  private long keys;
  private long expiring;
  private long seconds;

  /** The bytes that were there before the database was cleared. */
  private long clearedBytes;

  private Counters saved = Counters.NONE;

  /** Whether any of them changes, but for the bytes, which the write set counts. */
  boolean any() {
    return keys != 0 || expiring != 0 || seconds != 0;
  }

  /** How many more keys there are. */
  long keys() {
    return keys;
  }

  long clearedBytes() {
    return clearedBytes;
  }

  /** The counters with these changes. */
  Counters after(Counters before, long growth) {
    return before.plus(keys, expiring, seconds, growth);
  }

  void added(int more) {
    keys += more;
  }

  /** A key that expires is there, or is no more. */
  void expiry(@Nullable StoredValue storedValue, int sign) {
    if (storedValue != null && storedValue.expiry() != StoredValue.FOREVER) {
      expiring += sign;
      seconds += sign * Counters.seconds(storedValue.expiry());
    }
  }

  /** Everything is removed. */
  void cleared(Counters before) {
    keys = -before.keys(); // for a raw database 0, since nobody counts its keys
    expiring = -before.expiring();
    seconds = -before.seconds();
    clearedBytes = Math.max(0, before.bytes());
  }

  void savepoint() {
    saved = new Counters(keys, expiring, seconds, clearedBytes);
  }

  void rollback() {
    keys = saved.keys();
    expiring = saved.expiring();
    seconds = saved.seconds();
    clearedBytes = saved.bytes();
  }
}
