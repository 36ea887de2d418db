package io.kvstadium.server.database;

import io.kvstadium.server.database.StoredValue.Elements;
import io.kvstadium.server.execute.Walk;
import io.kvstadium.server.execute.WriteSet;
import io.kvstadium.store.Range;
import io.kvstadium.transfer.redis.Kind;
import java.util.ArrayList;
import java.util.List;

/** Removes what is due, and what was left of removed collections. Belongs to one commit group. */
final class Sweeper {
  /** How much is swept before the clock is looked at. */
  private static final int FEW = 32;

  /** The elements from which on one removal of a range costs an engine less than theirs. */
  private static final int MANY = 256;

  /** The most entries of a kind that are swept together. */
  private static final int MAX_SWEPT = Database.TIMED;

  private final Keyspace keys;
  private final Database database;
  private final WriteSet table;

  Sweeper(Keyspace keys, Database database, WriteSet table) {
    this.keys = keys;
    this.database = database;
    this.table = table;
  }

  /**
   * Removes a little at least, and no more once the time is over.
   *
   * @param until a time, by {@link System#nanoTime}
   * @param now Unix time in milliseconds
   * @return whether there is more
   */
  boolean sweep(long until, long now) {
    boolean due = sweepDue(until, now);
    boolean fields = sweepFields(until, now);
    return sweepGarbage(until) || due || fields;
  }

  private boolean sweepFields(long until, long now) {
    int seen = 0;
    try (Walk order = table.scan(Keys.fieldExpiries().limit(MAX_SWEPT))) {
      while (order.next() && Keys.number(order.key()) <= now) {
        seen += removeDueFields(order.key(), now, MAX_SWEPT - seen);
        if (isOver(seen, until)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Removes fields of a hash that are due; returns how many, and 1 at least. */
  private int removeDueFields(byte[] place, long now, int max) {
    byte[] key = Keys.rest(place);
    StoredValue hash = keys.presentHead(key, 0);
    if (hash == null
        || !hash.hasFieldExpiries()
        || hash.elements().nextExpiry() != Keys.number(place)) {
      table.delete(place); // must not be found again
      return 1;
    }
    Elements elements = hash.elements();
    FieldExpiries expiries = new FieldExpiries(keys.elements(), elements.first());
    List<byte[]> due = expiries.due(now, max);
    for (byte[] field : due) {
      keys.elements().remove(elements, field);
      expiries.set(field, StoredValue.FOREVER);
    }
    keys.notify(key, "hexpired");
    Elements left = elements.counting(elements.count() - due.size());
    keys.set(key, Kind.HASH, left.expiring(elements.first(), expiries.first()), hash);
    return Math.max(1, due.size());
  }

  private boolean sweepDue(long until, long now) {
    int seen = 0;
    try (Walk order = table.scan(Keys.expiries().limit(MAX_SWEPT))) {
      while (order.next() && Keys.number(order.key()) <= now) {
        byte[] key = Keys.rest(order.key());
        StoredValue storedValue = keys.presentHead(key, 0);
        if (storedValue != null && storedValue.expiry() == Keys.number(order.key())) {
          keys.removeDue(key);
        } else {
          table.delete(order.key()); // its key is gone: must not be found again
        }
        if (isOver(++seen, until)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isOver(int seen, long until) {
    return seen == MAX_SWEPT || (seen % FEW == 0 && System.nanoTime() - until > 0);
  }

  private boolean sweepGarbage(long until) {
    int seen = 0;
    try (Walk garbage = table.scan(Keys.garbage().limit(MAX_SWEPT))) {
      while (garbage.next()) {
        boolean more = removeElements(garbage.key(), until);
        if (!more) {
          table.delete(garbage.key());
        }
        if (more || isOver(++seen, until)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Removes elements that are garbage; returns whether there may be more. */
  private boolean removeElements(byte[] garbage, long until) {
    long generation = Keys.number(garbage);
    boolean counted = database.counted(); // then they are read
    boolean ranges = database.removesRanges();
    boolean atOnce = database.removesAtOnce() && !counted;
    boolean timed = atOnce || (!counted && database.times(generation));
    Range<byte[]> all = counted ? table.left(Keys.discarded(garbage)) : Keys.discarded(garbage);
    Range<byte[]> read = counted ? all : all.keysOnly();
    List<byte[]> found = new ArrayList<>();
    long bytes = 0;
    boolean over = false;
    try (Walk elements = table.scan(read.limit(atOnce ? MANY : MAX_SWEPT))) {
      while (!over && elements.next()) {
        found.add(elements.key());
        bytes += counted ? elements.key().length + (long) elements.head(0).length() : 0;
        over = timed ? found.size() == MAX_SWEPT : isOver(found.size(), until);
      }
    }
    if (found.size() < MANY || !ranges) {
      table.delete(found, bytes);
      return over;
    }
    table.discard(atOnce ? all : all.from(found.getFirst(), true).to(found.getLast(), true), bytes);
    database.removing(found.size());
    return over;
  }
}
