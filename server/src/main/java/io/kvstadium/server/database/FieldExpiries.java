package io.kvstadium.server.database;

import io.kvstadium.server.database.StoredValue.Elements;
import io.kvstadium.server.execute.Walk;
import io.kvstadium.store.Range;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * When the fields of a hash expire: by field and in the order of time, as elements of a generation
 * of their own.
 */
public final class FieldExpiries {
  private static final byte BY_FIELD = 'f';
  private static final byte BY_TIME = 't';

  private final CollectionElements elements;
  private final Elements own;

  /** Those of a hash which has their generation. */
  public FieldExpiries(CollectionElements elements, long generation) {
    this.elements = elements;
    this.own = new Elements(generation, 0, 0);
  }

  public long generation() {
    return own.generation();
  }

  private static byte[] byField(byte[] field) {
    return ByteBuffer.allocate(1 + field.length).put(BY_FIELD).put(field).array();
  }

  private static byte[] byTime(long when, byte[] field) {
    return ByteBuffer.allocate(9 + field.length).put(BY_TIME).putLong(when).put(field).array();
  }

  /** When a field expires, in Unix milliseconds, or {@link StoredValue#FOREVER}. */
  public long get(byte[] field) {
    byte[] stored = elements.get(own, byField(field));
    return stored == null ? StoredValue.FOREVER : ByteBuffer.wrap(stored).getLong();
  }

  /** Sets when a field expires. */
  public void set(byte[] field, long when) {
    long before = get(field);
    if (before != StoredValue.FOREVER) {
      elements.remove(own, byTime(before, field));
    }
    if (when != StoredValue.FOREVER) {
      elements.mark(own, byTime(when, field));
      elements.put(own, byField(field), ByteBuffer.allocate(8).putLong(when).array());
    } else if (before != StoredValue.FOREVER) {
      elements.remove(own, byField(field));
    }
  }

  /** When the first field expires, or {@link StoredValue#FOREVER}. */
  public long first() {
    Range<byte[]> order = Keys.elements(own.generation(), new byte[] {BY_TIME});
    try (Walk walk = elements.walk(order.limit(1).keysOnly())) {
      return walk.next() ? ByteBuffer.wrap(Keys.rest(walk.key())).getLong(1) : StoredValue.FOREVER;
    }
  }

  /** The first fields that are due. */
  public List<byte[]> due(long now, long max) {
    List<byte[]> due = new ArrayList<>();
    Range<byte[]> order =
        Keys.elements(own.generation(), new byte[] {BY_TIME})
            .to(Keys.element(own.generation(), byTime(now + 1, new byte[0])), false);
    try (Walk walk = elements.walk(order.limit(max).keysOnly())) {
      while (walk.next()) {
        byte[] rest = Keys.rest(walk.key());
        due.add(Arrays.copyOfRange(rest, 9, rest.length));
      }
    }
    return due;
  }
}
