package io.kvstadium.store.internal.view;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.EntryReader;
import io.kvstadium.store.Range;
import io.kvstadium.store.StoreListener;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.guard.Access;
import io.kvstadium.store.internal.guard.Gate;
import io.kvstadium.store.internal.guard.Handle;
import io.kvstadium.store.record.CallRecorder;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.Set;
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
final class CursorView<K, V> implements Cursor<K, V> {
  private enum Place {
    BEFORE,
    ON,
    END
  }

  /** So many entries are read in place at once. */
  private static final int PORTION = 256;

  /** After the first entry, how many times as many are read ahead as last time. */
  private static final int GROWTH = 4;

  private final CodecTable<K, V> table;
  private final CursorHandle access;
  private final Range<byte[]> range;
  private final boolean withoutValues;
  private final boolean fetches;
  private final boolean stable;
  private @Nullable EngineCursor cursor;
  private boolean immutable;
  private Place place = Place.BEFORE;

  // what was read ahead
  private @Nullable EntriesAhead ahead;
  private int at;
  private int maxAhead = 1;

  // what of the current entry was fetched or handed out, and what was asked for since the last
  // passing of the guards
  private byte @Nullable [] key;
  private byte @Nullable [] value;
  private boolean keyAsked;
  private boolean valueAsked;

  /**
   * A cursor before its first entry.
   *
   * @param parent what the table is seen through
   * @param siblings the set of live handles that it joins
   * @param opened {@code null} for an empty range
   * @param begun when it was opened, for the listener
   */
  CursorView(
      CodecTable<K, V> table,
      Access parent,
      Set<Handle> siblings,
      Range<byte[]> range,
      @Nullable EngineCursor opened,
      long begun) {
    StoreCalls<?> store = table.view().handle().store();
    this.table = table;
    this.access = new CursorHandle(parent, siblings, table.view(), range, begun);
    this.range = range;
    this.withoutValues = range.withoutValues();
    this.fetches = parent.isShared();
    this.stable = fetches && store.capabilities().contains(Capability.SNAPSHOT);
    if (opened != null) {
      walkOn(opened);
    }
    access.watch(this);
  }

  /**
   * The engine's side, which may be closed without the user's. It does not refer to what the user
   * holds, or that would never be lost.
   */
  private static final class CursorHandle extends Handle {
    private final TableHandle<?> table;
    private final Listening listening;
    private final boolean counts;
    private Range<byte[]> range;
    private long begun;
    private long left;
    private @Nullable EngineCursor cursor;
    private long bytes; // that were handed out, for the listener

    CursorHandle(
        Access parent, Set<Handle> siblings, TableView<?> view, Range<byte[]> range, long begun) {
      super(parent, "the cursor", false, siblings, Set.of(), view.handle(), view.listening()::leak);
      this.table = view.handle();
      this.listening = view.listening();
      this.counts = listening.isOn();
      this.range = range;
      this.begun = begun;
      this.left = range.limit();
    }

    @Override
    protected String description() {
      return "cursor on table " + table.name() + " of " + table.store().url();
    }

    @Override
    protected void closeEngine() throws Exception {
      if (cursor != null) {
        cursor.close();
        if (listening.isOn()) {
          listening.called(StoreListener.Call.SCAN, table.name(), begun, bytes);
          recordScan();
        }
      }
    }

    private void recordScan() {
      listening.recordRange(
          CallRecorder.CallKind.SCAN, table.name(), range, begun, range.limit() - left, bytes);
    }

    /** Records what was read before a seek as a scan, and begins another. */
    void sought(Range<byte[]> rest) {
      if (begun != 0 && listening.isRecorded()) {
        if (left < range.limit()) {
          recordScan();
          bytes = 0;
        }
        range = rest.limit(left);
        begun = listening.begin();
      }
    }
  }

  private void walkOn(EngineCursor opened) {
    cursor = opened;
    access.cursor = opened;
    immutable = opened.isImmutable();
  }

  @Override
  public boolean next() {
    EntriesAhead present = ahead;
    int following = at + 1;
    if (present != null && following < present.count()) {
      access.check();
      at = following;
      access.left--;
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
      throw failed(e);
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
    if (place == Place.END || ended || now == null || access.left <= 0) {
      return arrive(false);
    }
    boolean copies = stable && withKey && (withValue || withoutValues);
    if (place == Place.ON && (immutable || copies)) {
      maxAhead = Math.min(GROWTH * maxAhead, EntriesAhead.MAX_ENTRIES);
      ahead =
          new EntriesAhead(now, (int) Math.min(maxAhead, access.left), withoutValues, immutable);
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
      access.left--;
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
  public boolean seek(K key) {
    byte[] target = table.bound(key);
    Gate.Pass pass = access.enter();
    try {
      forget();
      EngineCursor now = cursor;
      return arrive(now != null && access.left > 0 && moveTo(now, target));
    } catch (Throwable e) {
      throw failed(e);
    } finally {
      access.exit(pass);
      Reference.reachabilityFence(this);
    }
  }

  private boolean moveTo(EngineCursor present, byte[] target) throws Exception {
    boolean up = !range.reversed();
    if (up ? !range.belowTo(target) : !range.aboveFrom(target)) {
      return false; // after the end
    }
    boolean within = up ? range.aboveFrom(target) : range.belowTo(target);
    Range<byte[]> rest = !within ? range : up ? range.from(target, true) : range.to(target, true);
    access.sought(rest);
    if (!present.canSeek()) {
      EngineCursor anew = table.view().engineCursor(rest.limit(access.left));
      walkOn(anew);
      present.close();
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
  public K key() {
    return table.decodeKey(keyBytes());
  }

  @Override
  @SuppressWarnings("unchecked") // it is one, if nothing decodes it
  public V value() {
    byte[] bytes = valueBytes();
    return table.decodesValues() ? table.decodeValue(this::keyBytes, bytes) : (V) bytes;
  }

  byte[] keyBytes() {
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
      if (!present.isCopied() || access.counts) { // or it is the same array again
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
      throw failed(e);
    } finally {
      access.exit(pass);
      Reference.reachabilityFence(this);
    }
  }

  byte[] valueBytes() {
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
      if (!present.isCopied() || access.counts) {
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
      throw failed(e);
    } finally {
      access.exit(pass);
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public <R extends @Nullable Object> R value(ValueReader<R> reader) {
    CallbackReader<R> callback =
        new CallbackReader<>(Arguments.given(table, "value reader", reader));
    Gate.Pass pass = access.enter();
    try {
      EngineCursor now = currentWithValue();
      EntriesAhead present = ahead;
      byte[] known = value == null && present != null ? present.presentValue(at) : value;
      R result =
          known == null
              ? now.value(callback)
              : callback.read(MemorySegment.ofArray(known).asReadOnly());
      if (access.counts) {
        access.bytes += Math.max(0, callback.size());
      }
      return result;
    } catch (Throwable e) {
      if (callback.threw(e)) {
        access.callFailed(e);
        throw CallbackReader.throwAsIs(e);
      }
      throw failed(e);
    } finally {
      access.exit(pass);
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public long readRemaining(EntryReader reader) {
    CallbackEntries callback = new CallbackEntries(Arguments.given(table, "entry reader", reader));
    while (readSome(callback)) {
      // others may close the store between two portions
    }
    return callback.count();
  }

  /** Reads a portion inside the guards; returns whether there may be more. */
  private boolean readSome(CallbackEntries callback) {
    Gate.Pass pass = access.enter();
    try {
      boolean more = true;
      for (int i = 0; more && i < PORTION; i++) {
        more = step(false) && readCurrent(callback);
      }
      if (access.counts) {
        access.bytes += callback.newBytes();
      }
      return more;
    } catch (Throwable e) {
      if (callback.threw(e)) {
        access.callFailed(e);
        throw CallbackReader.throwAsIs(e);
      }
      throw failed(e);
    } finally {
      access.exit(pass);
      Reference.reachabilityFence(this);
    }
  }

  private boolean readCurrent(CallbackEntries callback) throws Exception {
    EntriesAhead present = ahead;
    return present == null
        ? current().read(callback, !withoutValues)
        : callback.read(
            MemorySegment.ofArray(present.presentKey(at)).asReadOnly(),
            withoutValues
                ? MemorySegment.NULL
                : MemorySegment.ofArray(present.presentValue(at)).asReadOnly());
  }

  private byte[] handedOut(byte[] bytes) {
    if (access.counts) {
      access.bytes += bytes.length;
    }
    return bytes;
  }

  private RuntimeException failed(Throwable thrown) {
    RuntimeException failure = access.failed(thrown, false);
    table.view().tell(StoreListener.Call.SCAN, failure);
    return failure;
  }

  @Override
  public void close() {
    access.close();
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
