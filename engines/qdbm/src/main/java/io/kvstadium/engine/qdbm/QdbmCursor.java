package io.kvstadium.engine.qdbm;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.help.SeekCursor;

/** A scan of a tree. Holds nothing of the library between steps. */
final class QdbmCursor extends SeekCursor<RuntimeException> {
  private static final byte[] NOTHING = {};

  private final Villa table;
  private byte[] value = NOTHING;

  QdbmCursor(Villa table, Range<byte[]> range) {
    super(range, true, table.lock);
    this.table = table;
  }

  @Override
  protected void arrive() {
    if (withValues()) {
      value = table.value();
    }
  }

  @Override
  protected boolean first() {
    return table.move(this, Villa.FIRST);
  }

  @Override
  protected boolean last() {
    return table.move(this, Villa.LAST);
  }

  @Override
  protected boolean ceiling(byte[] bound) {
    return table.jump(this, bound, false);
  }

  @Override
  protected boolean floor(byte[] bound) {
    return table.jump(this, bound, true);
  }

  @Override
  protected boolean following() {
    return table.move(this, Villa.NEXT);
  }

  @Override
  protected boolean previous() {
    return table.move(this, Villa.PREVIOUS);
  }

  @Override
  protected boolean isLost() {
    return !table.isPlaceOf(this);
  }

  @Override
  protected byte[] readKey() {
    return table.key();
  }

  @Override
  public byte[] value() {
    return value.clone();
  }

  @Override
  public void close() {}
}
