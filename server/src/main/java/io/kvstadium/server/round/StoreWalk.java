package io.kvstadium.server.round;

import io.kvstadium.store.Cursor;

/** What the store holds. */
record StoreWalk(Cursor cursor) implements Walk {
  @Override
  public boolean next() {
    return cursor.next();
  }

  @Override
  public byte[] key() {
    return cursor.key();
  }

  @Override
  public byte[] value() {
    return cursor.value();
  }

  @Override
  public void close() {
    cursor.close();
  }
}
