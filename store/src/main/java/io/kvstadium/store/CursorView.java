package io.kvstadium.store;

import io.kvstadium.store.spi.EngineCursor;
import io.kvstadium.store.spi.Gate;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Arrays;
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
  private final @Nullable CursorSource source;
  private final Range range;
  private final boolean withoutValues;
  private @Nullable EngineCursor cursor;
  private long left;
  private Place place = Place.BEFORE;

  /** With {@code null} for an empty range. */
  CursorView(Handle handle, @Nullable CursorSource source, Range range) {
    this.handle = handle;
    this.access = handle.access();
    this.source = source;
    this.cursor = source == null ? null : source.cursor();
    this.range = range;
    this.withoutValues = range.withoutValues();
    this.left = range.limit();
    this.watch = handle.watch(this);
  }

  @Override
  public boolean next() {
    Gate.Pass pass = access.enter();
    try {
      return step();
    } finally {
      access.exit(pass);
      Reference.reachabilityFence(this);
    }
  }

  private boolean step() {
    return arrive(place != Place.END && cursor != null && left > 0 && cursor.next());
  }

  private boolean arrive(boolean found) {
    place = found ? Place.ON : Place.END;
    if (found) {
      left--;
    }
    return found;
  }

  @Override
  public int nextChunk(Entry[] chunk) {
    if (Arguments.given("nextChunk", "array", chunk).length == 0) {
      throw new BadArgumentException("the chunk has no room: give an array of 1 or more");
    }
    Gate.Pass pass = access.enter();
    try {
      refuseValues();
      int count = 0;
      while (count < chunk.length && step()) {
        EngineCursor now = current();
        chunk[count] = new Entry(now.key(), now.value());
        count++;
      }
      return count;
    } finally {
      access.exit(pass);
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public boolean seek(byte[] key) {
    Arguments.given("seek", "key", key);
    Gate.Pass pass = access.enter();
    try {
      return arrive(source != null && left > 0 && moveTo(source, key));
    } finally {
      access.exit(pass);
      Reference.reachabilityFence(this);
    }
  }

  private boolean moveTo(CursorSource from, byte[] key) {
    boolean up = !range.reversed();
    if (up ? !range.belowTo(key) : !range.aboveFrom(key)) {
      return false; // behind the end
    }
    boolean within = up ? range.aboveFrom(key) : range.belowTo(key);
    Range rest = !within ? range : up ? range.from(key, true) : range.to(key, true);
    EngineCursor present = from.cursor();
    if (!present.canSeek()) {
      cursor = from.reopen(rest.limit(left));
      return cursor.next();
    }
    byte[] start = up ? rest.from() : rest.to();
    if (start == null || !present.seek(start)) {
      return false;
    }
    boolean inclusive = up ? rest.fromInclusive() : rest.toInclusive();
    return inclusive || !Arrays.equals(present.key(), start) || present.next();
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
    Arguments.given("value", "value reader", reader);
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
    refuseValues();
    return current();
  }

  private void refuseValues() {
    if (withoutValues) {
      throw new BadArgumentException("the scan was asked for keys only: leave keysOnly() out");
    }
  }

  private EngineCursor current() {
    if (place != Place.ON || cursor == null) {
      throw new BadArgumentException(
          "the cursor stands on no entry: call next() first, and only while it returns true");
    }
    return cursor;
  }
}
