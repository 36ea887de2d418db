package io.kvstadium.store;

import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.Gate;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/** The user's side of a cursor: guards, limit, and order of calls. */
final class CursorView implements Cursor {
  private enum Place {
    BEFORE,
    ON,
    END
  }

  private final Handle handle;
  private final HandleAccess access;
  private final Cleaner.Cleanable watch;
  private final @Nullable EngineCursor cursor;
  private final boolean withoutValues;
  private long left;
  private Place place = Place.BEFORE;

  /** With {@code null} for an empty range. */
  CursorView(Handle handle, @Nullable EngineCursor cursor, Range range) {
    this.handle = handle;
    this.access = handle.access();
    this.cursor = cursor;
    this.withoutValues = range.withoutValues();
    this.left = range.limit();
    this.watch = handle.watch(this);
  }

  @Override
  public boolean next() {
    Gate.Pass pass = access.enter();
    try {
      if (place == Place.END || cursor == null || left == 0 || !cursor.next()) {
        place = Place.END;
        return false;
      }
      left--;
      place = Place.ON;
      return true;
    } finally {
      access.exit(pass);
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public byte[] key() {
    Gate.Pass pass = access.enter();
    try {
      return current().key();
    } finally {
      access.exit(pass);
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public byte[] value() {
    Gate.Pass pass = access.enter();
    try {
      return currentWithValue().value();
    } finally {
      access.exit(pass);
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public <R extends @Nullable Object> R value(ValueReader<R> reader) {
    Gate.Pass pass = access.enter();
    try {
      return currentWithValue().value(reader);
    } finally {
      access.exit(pass);
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public void close() {
    handle.close();
    watch.clean(); // finds it closed: only unregisters
  }

  private EngineCursor currentWithValue() {
    if (withoutValues) {
      throw new BadArgumentException("the scan was asked for keys only: leave keysOnly() out");
    }
    return current();
  }

  private EngineCursor current() {
    if (place != Place.ON || cursor == null) {
      throw new BadArgumentException(
          "the cursor stands on no entry: call next() first, and only while it returns true");
    }
    return cursor;
  }
}
