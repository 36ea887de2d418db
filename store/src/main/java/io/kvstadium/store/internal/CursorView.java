package io.kvstadium.store.internal;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.EngineCursor;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The user's side of a cursor: guards, limit, and order of calls.
 *
 * <p>The guards cost more than the step of a fast engine, so they are passed once for several
 * calls. Where the engine's arrays are immutable, the cursor reads ahead, further each time. It
 * does so with copies where a scan sees the table as it was, as long as all of each entry is asked
 * for. Elsewhere a step also fetches what was asked for of the previous entry, key or value or
 * both: a caller that looks only at keys never pays for values, nor does one that takes only the
 * first entry. Inside a transaction, which may write between two calls, each of these calls goes to
 * the engine.
 */
final class CursorView implements Cursor {
  private enum Place {
    BEFORE,
    ON,
    END
  }

  /** After the first entry, how many times as many are read ahead as last time. */
  private static final int GROWTH = 4;

  private final Handle handle;
  private final HandleAccess access;
  private final @Nullable CursorSource source;
  private final Range range;
  private final boolean withoutValues;
  private final boolean fetches;
  private final boolean settled;
  private final boolean ordered;
  private @Nullable EngineCursor cursor;
  private boolean immutable;
  private Listened.@Nullable ListenedCursor listened;
  private long left;
  private Place place = Place.BEFORE;

  // what was read ahead
  private @Nullable EntriesAhead ahead;
  private int at;
  private int mostAhead = 1;

  // what of the current entry was fetched or handed out, and what was asked for since the last
  // passing of the guards
  private byte @Nullable [] key;
  private byte @Nullable [] value;
  private boolean keyAsked;
  private boolean valueAsked;

  /**
   * A cursor before its first entry.
   *
   * @param source {@code null} for an empty range
   * @param settled whether what it sees is settled by now, except for its own transaction's writes
   * @param ordered whether the engine's cursor can be moved to a key
   */
  CursorView(
      Handle handle, @Nullable CursorSource source, Range range, boolean settled, boolean ordered) {
    this.ordered = ordered;
    this.handle = handle;
    this.access = handle.access();
    this.source = source;
    this.range = range;
    this.withoutValues = range.withoutValues();
    this.fetches = access.parent().isShared();
    this.settled = settled && fetches;
    this.left = range.limit();
    if (source != null) {
      walkOn(source.cursor());
    }
    handle.watch(this);
  }

  private void walkOn(EngineCursor opened) {
    cursor = opened;
    immutable = opened.isImmutable();
    listened = opened instanceof Listened.ListenedCursor told ? told : null;
  }

  @Override
  public boolean next() {
    EntriesAhead present = ahead;
    int following = at + 1;
    if (present != null && following < present.count()) {
      access.check();
      at = following;
      left--;
      if (key != null) { // storing a reference is costly: the collector has to know
        key = null;
      }
      if (value != null) {
        value = null;
      }
      return true;
    }
    return stepInside();
  }

  private boolean stepInside() {
    Gate.Pass pass = access.enter();
    try {
      return step(fetches);
    } catch (Throwable e) {
      throw access.failed(e, false);
    } finally {
      access.exit(pass);
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Moves to the next entry, inside the guards.
   *
   * @param fetching whether what was asked for before is likely to be asked for again
   */
  private boolean step(boolean fetching) throws Exception {
    boolean withKey = fetching && keyAsked;
    boolean withValue = fetching && valueAsked;
    EntriesAhead present = ahead;
    if (present != null && at + 1 < present.count()) {
      at++;
      key = null;
      value = null;
      return arrive(true);
    }
    EngineCursor now = cursor;
    boolean ended = present != null && present.isLast();
    forget();
    if (place == Place.END || ended || now == null || left <= 0) {
      return arrive(false);
    }
    boolean copies = settled && withKey && (withValue || withoutValues);
    if (place == Place.ON && (immutable || copies)) {
      mostAhead = Math.min(GROWTH * mostAhead, EntriesAhead.MOST);
      ahead = new EntriesAhead(now, (int) Math.min(mostAhead, left), withoutValues, immutable);
      return arrive(ahead.count() > 0);
    }
    boolean found = now.next();
    if (found) {
      key = withKey ? now.key() : null;
      value = withValue ? now.value() : null;
    }
    return arrive(found);
  }

  private boolean arrive(boolean found) {
    place = found ? Place.ON : Place.END;
    if (found) {
      left--;
    } else {
      forget();
    }
    return found;
  }

  private void forget() {
    ahead = null;
    at = 0;
    key = null;
    value = null;
    keyAsked = false;
    valueAsked = false;
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
      while (count < chunk.length && step(false)) {
        EngineCursor now = current();
        EntriesAhead present = ahead;
        byte[] nextKey = present == null ? now.key() : present.key(at);
        byte[] nextValue = present == null ? now.value() : present.value(at);
        chunk[count] = new Entry(handedOut(nextKey), handedOut(nextValue));
        key = nextKey;
        value = nextValue;
        count++;
      }
      return count;
    } catch (Throwable e) {
      throw access.failed(e, false);
    } finally {
      access.exit(pass);
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public boolean seek(byte[] target) {
    Arguments.given("seek", "key", target);
    Gate.Pass pass = access.enter();
    try {
      forget();
      return arrive(source != null && left > 0 && moveTo(source, target));
    } catch (Throwable e) {
      throw access.failed(e, false);
    } finally {
      access.exit(pass);
      Reference.reachabilityFence(this);
    }
  }

  private boolean moveTo(CursorSource from, byte[] target) throws Exception {
    boolean up = !range.reversed();
    if (up ? !range.belowTo(target) : !range.aboveFrom(target)) {
      return false; // after the end
    }
    boolean within = up ? range.aboveFrom(target) : range.belowTo(target);
    Range rest = !within ? range : up ? range.from(target, true) : range.to(target, true);
    EngineCursor present = from.cursor();
    if (!present.canSeek() || !ordered) { // without an order, what reopens it refuses
      EngineCursor anew = from.reopen(rest.limit(left));
      walkOn(anew);
      return anew.next();
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
    EntriesAhead present = ahead;
    byte[] fetched = key;
    if (fetched != null) {
      access.checkOpen();
      if (!keyAsked) {
        handedOut(fetched);
      }
    } else if (present != null) {
      access.checkOpen();
      fetched = handedOut(present.key(at));
      if (!present.isCopied() || listened != null) { // or it is the same array again
        key = fetched;
      }
    } else {
      return keyInside();
    }
    keyAsked = true;
    return fetched;
  }

  private byte[] keyInside() {
    Gate.Pass pass = access.enter();
    try {
      byte[] copy = current().key();
      key = copy;
      keyAsked = true;
      return handedOut(copy);
    } catch (Throwable e) {
      throw access.failed(e, false);
    } finally {
      access.exit(pass);
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public byte[] value() {
    EntriesAhead present = ahead;
    byte[] fetched = value;
    if (fetched != null) {
      access.checkOpen();
      if (!valueAsked) {
        handedOut(fetched);
      }
    } else if (present != null && !withoutValues) {
      access.checkOpen();
      fetched = handedOut(present.value(at));
      if (!present.isCopied() || listened != null) {
        value = fetched;
      }
    } else {
      return valueInside();
    }
    valueAsked = true;
    return fetched;
  }

  private byte[] valueInside() {
    Gate.Pass pass = access.enter();
    try {
      byte[] copy = currentWithValue().value();
      value = copy;
      valueAsked = true;
      return handedOut(copy);
    } catch (Throwable e) {
      throw access.failed(e, false);
    } finally {
      access.exit(pass);
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public <R extends @Nullable Object> R value(ValueReader<R> reader) {
    Lending<R> lending = new Lending<>(Arguments.given("value", "value reader", reader));
    Gate.Pass pass = access.enter();
    try {
      EngineCursor now = currentWithValue();
      ValueReader<R> counting = counting(lending);
      EntriesAhead present = ahead;
      byte[] known = value == null && present != null ? present.presentValue(at) : value;
      return known == null
          ? now.value(counting)
          : counting.read(MemorySegment.ofArray(known).asReadOnly());
    } catch (Throwable e) {
      throw lending.failed(e, access);
    } finally {
      access.exit(pass);
      Reference.reachabilityFence(this);
    }
  }

  private byte[] handedOut(byte[] bytes) {
    if (listened != null) {
      listened.handedOut(bytes.length);
    }
    return bytes;
  }

  private <R extends @Nullable Object> ValueReader<R> counting(ValueReader<R> reader) {
    Listened.ListenedCursor told = listened;
    return told == null
        ? reader
        : segment -> {
          told.handedOut(segment.byteSize());
          return reader.read(segment);
        };
  }

  @Override
  public void close() {
    handle.close();
  }

  private EngineCursor currentWithValue() {
    refuseValues();
    return current();
  }

  private void refuseValues() {
    if (withoutValues) {
      throw new BadArgumentException(
          "the scan was asked for keys only: take its keys(), or leave keysOnly() out");
    }
  }

  private EngineCursor current() {
    if (place != Place.ON || cursor == null) {
      throw new BadArgumentException(
          "the cursor is not on an entry: call next() first, and only while it returns true");
    }
    return cursor;
  }
}
