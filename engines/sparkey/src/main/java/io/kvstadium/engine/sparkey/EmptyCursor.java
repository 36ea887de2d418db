package io.kvstadium.engine.sparkey;

import io.kvstadium.store.spi.EngineCursor;

/** Over nothing. */
enum EmptyCursor implements EngineCursor {
  INSTANCE;

  @Override
  public boolean next() {
    return false;
  }

  @Override
  public byte[] key() {
    throw new IllegalStateException("there are no entries");
  }

  @Override
  public byte[] value() {
    throw new IllegalStateException("there are no entries");
  }

  @Override
  public void close() {}
}
