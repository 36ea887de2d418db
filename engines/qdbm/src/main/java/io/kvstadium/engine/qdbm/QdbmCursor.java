package io.kvstadium.engine.qdbm;

import io.kvstadium.store.Range;
import io.kvstadium.store.spi.EngineCursor;
import org.jspecify.annotations.Nullable;

/** A walk over a tree. Holds nothing of the library between steps. */
final class QdbmCursor implements EngineCursor {
  private static final byte[] NOTHING = {};

  private final Villa table;
  private final Range range;
  private byte @Nullable [] key;
  private byte[] value = NOTHING;

  QdbmCursor(Villa table, Range range) {
    this.table = table;
    this.range = range;
  }

  @Override
  public boolean next() {
    table.lock.lock();
    try {
      if (!move()) {
        return false;
      }
      byte[] found = table.key();
      if (range.reversed() ? !range.aboveFrom(found) : !range.belowTo(found)) {
        return false;
      }
      key = found;
      value = range.withoutValues() ? NOTHING : table.value();
      return true;
    } finally {
      table.lock.unlock();
    }
  }

  private boolean move() {
    if (key != null) {
      return table.step(this, key, range.reversed());
    }
    byte[] bound = range.reversed() ? range.to() : range.from();
    boolean inclusive = range.reversed() ? range.toInclusive() : range.fromInclusive();
    return bound == null
        ? table.begin(this, range.reversed())
        : table.jump(this, bound, inclusive, range.reversed());
  }

  @Override
  public byte[] key() {
    if (key == null) {
      throw new IllegalStateException("before the first entry");
    }
    return key.clone();
  }

  @Override
  public byte[] value() {
    return value.clone();
  }

  @Override
  public void close() {}
}
