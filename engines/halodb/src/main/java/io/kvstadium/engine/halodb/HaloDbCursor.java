package io.kvstadium.engine.halodb;

import io.kvstadium.store.engine.EngineCursor;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Walks through HaloDB's files, skipping what is outdated at that moment. */
final class HaloDbCursor implements EngineCursor {
  private final Iterator<?> entries;
  private final AutoCloseable onClose;
  private @Nullable Object entry;

  HaloDbCursor(Iterator<?> entries, AutoCloseable onClose) {
    this.entries = entries;
    this.onClose = onClose;
  }

  @Override
  public boolean next() {
    entry = entries.hasNext() ? entries.next() : null;
    return entry != null;
  }

  @Override
  public byte[] key() throws Exception {
    return HaloDbApi.call(() -> HaloDbApi.key(present())).clone();
  }

  @Override
  public byte[] value() throws Exception {
    return HaloDbApi.call(() -> HaloDbApi.value(present())).clone();
  }

  private Object present() {
    if (entry == null) {
      throw new IllegalStateException("the cursor is not on an entry");
    }
    return entry;
  }

  @Override
  public void close() throws Exception {
    onClose.close();
  }
}
