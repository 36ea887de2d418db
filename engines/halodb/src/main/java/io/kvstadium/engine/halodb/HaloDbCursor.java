package io.kvstadium.engine.halodb;

import io.kvstadium.store.spi.EngineCursor;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Walks over HaloDB's files, skipping what is outdated at that moment. */
final class HaloDbCursor implements EngineCursor {
  private final Iterator<?> entries;
  private final Failures failures;
  private final Runnable onClose;
  private @Nullable Object entry;

  HaloDbCursor(Iterator<?> entries, Failures failures, Runnable onClose) {
    this.entries = entries;
    this.failures = failures;
    this.onClose = onClose;
  }

  @Override
  public boolean next() {
    try {
      entry = entries.hasNext() ? entries.next() : null;
      return entry != null;
    } catch (RuntimeException e) {
      throw failures.using(e);
    }
  }

  @Override
  public byte[] key() {
    try {
      return HaloDbApi.key(present()).clone();
    } catch (Throwable e) {
      throw failures.using(e);
    }
  }

  @Override
  public byte[] value() {
    try {
      return HaloDbApi.value(present()).clone();
    } catch (Throwable e) {
      throw failures.using(e);
    }
  }

  private Object present() {
    if (entry == null) {
      throw new IllegalStateException("the cursor stands on no entry");
    }
    return entry;
  }

  @Override
  public void close() {
    onClose.run();
  }
}
