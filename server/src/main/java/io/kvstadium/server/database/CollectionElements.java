package io.kvstadium.server.database;

import io.kvstadium.server.database.StoredValue.Elements;
import io.kvstadium.server.execute.ReadView;
import io.kvstadium.server.execute.Walk;
import io.kvstadium.server.execute.WriteSet;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The elements of the collections of a database, as a commit group sees them. Each collection finds
 * its own by the generation among its numbers.
 */
public final class CollectionElements {
  private final Database database;
  private final ReadView table;

  /** What was read ahead, in a group that writes, once that was wanted. */
  private @Nullable ReadAhead ahead;

  CollectionElements(Database database, ReadView table) {
    this.database = database;
    this.table = table;
  }

  /** The numbers of a new collection. */
  public Elements fresh() {
    if (database.raw()) {
      throw ReplyException.error("this server serves plain tables (--raw), without collections");
    }
    return new Elements(database.nextGeneration(), 0, 0);
  }

  /** An element, or {@code null}. */
  public byte @Nullable [] get(Elements of, byte[] rest) {
    return table.get(Keys.element(of.generation(), rest));
  }

  public void put(Elements of, byte[] rest, byte[] value) {
    table.writable().put(changing(of, rest), value);
  }

  private byte[] changing(Elements of, byte[] rest) {
    byte[] key = Keys.element(of.generation(), rest);
    ReadAhead known = ahead;
    if (known != null) {
      known.changed(key);
    }
    return key;
  }

  /** What was written was taken back. */
  void rolledBack() {
    ahead = null;
  }

  /** Adds an element that walks find, rather than those who ask for its name. */
  public void append(Elements of, byte[] rest, byte[] value) {
    table.writable().append(changing(of, rest), value);
  }

  /** The same of one that is only a name. */
  public void mark(Elements of, byte[] rest) {
    table.writable().mark(changing(of, rest));
  }

  /** Adds an element that is only a name, and is asked for by it. */
  public void putName(Elements of, byte[] rest) {
    table.writable().putKey(changing(of, rest));
  }

  public void remove(Elements of, byte[] rest) {
    table.writable().delete(changing(of, rest));
  }

  /** Lets elements of a collection that goes on be removed later; see {@link Keys#garbage}. */
  public void discard(Elements of, byte[] rest) {
    table.writable().mark(Keys.garbage(of.generation(), rest));
  }

  /** What was {@linkplain #discard discarded} so far, if it continues like this, is removed. */
  public void discarded(Elements of, byte[] rest) {
    List<byte[]> found = new ArrayList<>();
    try (Walk all = table.scan(Range.prefix(Keys.garbage(of.generation(), rest)).keysOnly())) {
      while (all.next()) {
        found.add(all.key());
      }
    }
    found.forEach(table.writable()::delete);
  }

  /** Copies the elements of a collection to another one, which is new, and returns its numbers. */
  public Elements copy(StoredValue of, CollectionElements to) {
    Elements fresh = copy(of.elements(), to);
    if (of.hasFieldExpiries()) {
      Elements expiries = copy(new Elements(of.elements().first(), 0, 0), to);
      fresh = fresh.expiring(expiries.generation(), of.elements().nextExpiry());
    }
    return fresh;
  }

  private Elements copy(Elements of, CollectionElements to) {
    Elements fresh = to.fresh();
    try (Walk all = walk(Keys.elements(of.generation()))) {
      while (all.next()) {
        to.put(fresh, Keys.rest(all.key()), all.value());
      }
    }
    try (Walk all = table.scan(Range.prefix(Keys.garbage(of.generation())).keysOnly())) {
      while (all.next()) { // what is discarded here must not stay there
        to.discard(fresh, Keys.rest(all.key()));
      }
    }
    return fresh;
  }

  /**
   * The first elements of a range of {@link Keys#elements} that begins with one, up to a number of
   * them; quick for requests of a commit group that go on where others ended.
   */
  public List<Entry<byte[], byte[]>> first(Range<byte[]> range, long max) {
    ReadAhead known = ahead;
    if (known == null) {
      known = new ReadAhead();
      ahead = table instanceof WriteSet ? known : null;
    }
    return known.first(table, range, max);
  }

  /** The elements of a collection, or those of a range of {@link Keys#elements}. */
  public Walk walk(Range<byte[]> range) {
    return table.scan(range);
  }
}
