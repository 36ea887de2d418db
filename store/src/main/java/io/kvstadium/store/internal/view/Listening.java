package io.kvstadium.store.internal.view;

import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import io.kvstadium.store.StoreListener.Call;
import io.kvstadium.store.codec.ExpiringCodec;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.record.CallRecorder;
import io.kvstadium.store.record.CallRecorder.CallKind;
import io.kvstadium.store.record.CallRecorder.CallOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports the calls on a store to its listener and to its recorder, if it has them. Whoever calls
 * an engine asks {@link #isOn} first, so that without them there is no cost.
 */
public final class Listening {
  private static final System.Logger LOG = System.getLogger(Store.class.getPackageName());

  /** Bound while calls are parts of one that is recorded as a whole. */
  private static final ScopedValue<Boolean> PART = ScopedValue.newInstance();

  private final @Nullable StoreListener listener;
  private volatile @Nullable CallRecorder recorder;

  public Listening(@Nullable StoreListener listener) {
    this.listener = listener;
  }

  /** Has calls recorded from now on, or, with {@code null}, not any more. */
  public void record(@Nullable CallRecorder newRecorder) {
    recorder = newRecorder;
  }

  /** Runs this without recording its calls, if they are parts of one that is recorded. */
  public static <R> R asParts(long begun, ScopedValue.CallableOp<R, RuntimeException> work) {
    return begun == 0 ? work.call() : ScopedValue.where(PART, true).call(work);
  }

  public boolean isOn() {
    return listener != null || recorder != null;
  }

  boolean isRecorded() {
    return recorder() != null;
  }

  private @Nullable CallRecorder recorder() {
    CallRecorder now = recorder;
    return now == null || PART.isBound() ? null : now;
  }

  /** The time at which a call began, or 0 if it is neither timed nor recorded. */
  public long begin() {
    if (recorder() != null) {
      return System.nanoTime();
    }
    return listener != null && listener.timesCalls() ? System.nanoTime() : 0;
  }

  /** The time at which a call began that is recorded, or 0. */
  public long beginRecorded() {
    return isRecorded() ? System.nanoTime() : 0;
  }

  /** Tells the listener of a call's end; see {@link #begin}. */
  public void called(Call call, String table, long begun, long bytes) {
    if (listener == null) {
      return;
    }
    try {
      long nanoseconds = begun == 0 || !listener.timesCalls() ? 0 : System.nanoTime() - begun;
      listener.called(call, table, nanoseconds, bytes);
    } catch (RuntimeException e) {
      listenerFailed(e);
    }
  }

  /**
   * Reports a call on one key.
   *
   * @param length of the value; -1 if nothing was found or the call has none
   */
  void entry(Call call, String table, byte[] key, long begun, long length) {
    if (listener != null) {
      called(call, table, begun, Math.max(0, length) + (call == Call.PUT ? key.length : 0));
    }
    recordEntry(call, table, key, begun, length);
  }

  /** Records a call on one key; see {@link #entry}. */
  void recordEntry(Call call, String table, byte[] key, long begun, long length) {
    CallRecorder now = recorder();
    if (now != null && begun != 0) {
      boolean missed = length < 0 && (call == Call.GET || call == Call.CONTAINS);
      now.entry(
          kind(call), missed ? CallOutcome.MISS : CallOutcome.OK, table, key, begun, length, -1);
    }
  }

  /** Reports the put of a value. */
  void put(String table, byte[] key, long begun, byte[] value) {
    entry(Call.PUT, table, key, begun, value.length);
    recordValue(table, value);
  }

  private void recordValue(String table, byte[] value) {
    CallRecorder now = recorder();
    if (now != null) {
      now.value(table, value);
    }
  }

  /** Reports the put of a value that expires. */
  void expiring(String table, byte[] key, long begun, byte[] value) {
    called(Call.PUT, table, begun, (long) key.length + value.length);
    CallRecorder now = recorder();
    if (now != null && begun != 0) {
      long ttl = Math.max(0, ExpiringCodec.due(value) - System.currentTimeMillis());
      now.entry(CallKind.PUT, CallOutcome.OK, table, key, begun, value.length, ttl);
      now.value(table, value);
    }
  }

  private static CallKind kind(Call call) {
    return switch (call) {
      case GET -> CallKind.GET;
      case CONTAINS -> CallKind.CONTAINS;
      case PUT -> CallKind.PUT;
      case DELETE -> CallKind.DELETE;
      default -> throw new IllegalArgumentException(call + " is no call on one key");
    };
  }

  /** Reports a get of several keys. */
  void multiGet(String table, byte[][] keys, byte[] @Nullable [] values, long begun) {
    long bytes = 0;
    for (byte[] value : values) {
      bytes += value == null ? 0 : value.length;
    }
    called(Call.MULTI_GET, table, begun, bytes);
    CallRecorder now = recorder();
    if (now != null && begun != 0) {
      List<CallRecorder.Part> parts = new ArrayList<>(keys.length);
      for (int i = 0; i < keys.length; i++) {
        byte[] value = values[i];
        parts.add(
            new CallRecorder.Part(
                CallKind.GET,
                value == null ? CallOutcome.MISS : CallOutcome.OK,
                table,
                keys[i],
                null,
                value == null ? -1 : value.length));
      }
      now.batch(CallOutcome.OK, begun, parts);
    }
  }

  /** Records a scan or the removal of a range. */
  void recordRange(
      CallKind kind, String table, Range<byte[]> range, long begun, long entries, long bytes) {
    CallRecorder now = recorder();
    if (now != null && begun != 0) {
      now.range(kind, table, range, begun, entries, bytes);
    }
  }

  /** Records the bound of a transaction, or a call on the store or a whole table. */
  public void recordBound(CallKind kind, CallOutcome outcome, String table, long begun) {
    CallRecorder now = recorder();
    if (now != null && begun != 0) {
      now.bound(kind, outcome, table, begun);
    }
  }

  /** Records a batch. */
  public void recordBatch(CallOutcome outcome, List<? extends Write<?>> writes, long begun) {
    CallRecorder now = recorder();
    if (now != null && begun != 0 && !writes.isEmpty()) {
      List<CallRecorder.Part> parts = new ArrayList<>(writes.size());
      writes.forEach(write -> parts.add(part(write)));
      now.batch(outcome, begun, parts);
      Write<?> first = writes.getFirst();
      if (first.value() != null) {
        now.value(first.table().name(), first.value());
      }
    }
  }

  private static CallRecorder.Part part(Write<?> write) {
    byte[] value = write.value();
    Range<byte[]> range = write.range();
    return new CallRecorder.Part(
        range != null ? CallKind.DELETE_RANGE : value == null ? CallKind.DELETE : CallKind.PUT,
        CallOutcome.OK,
        write.table().name(),
        range == null ? write.key() : null,
        range,
        value == null ? -1 : value.length);
  }

  /** Records a write that depended on the value before it. */
  public void recordConditional(
      String table, byte[] key, ConditionalWrites.@Nullable Change change, long begun) {
    CallRecorder now = recorder();
    if (now == null || begun == 0) {
      return;
    }
    if (change == null) {
      now.entry(CallKind.PUT_IF, CallOutcome.FAILED, table, key, begun, -1, -1);
      return;
    }
    byte[] value = change.value();
    now.entry(
        change.applies() && value == null ? CallKind.DELETE_IF : CallKind.PUT_IF,
        change.applies() ? CallOutcome.OK : CallOutcome.MISS,
        table,
        key,
        begun,
        value == null ? -1 : value.length,
        -1);
  }

  public void failed(Call call, String table, RuntimeException failure) {
    tell(told -> told.failed(call, table, failure));
  }

  /** Records that a call on one key failed. */
  void recordFailed(Call call, String table, byte[] key, RuntimeException failure) {
    CallRecorder now = recorder();
    if (now != null) {
      now.entry(kind(call), outcome(failure), table, key, System.nanoTime(), -1, -1);
    }
  }

  static CallOutcome outcome(Throwable failure) {
    return failure instanceof ConflictException ? CallOutcome.CONFLICT : CallOutcome.FAILED;
  }

  void conflict(int attempt) {
    tell(told -> told.conflict(attempt));
  }

  public void leak(String handle, @Nullable Throwable opened) {
    tell(told -> told.leak(handle, opened));
  }

  /** What the listener throws must not look like the store's failure. */
  private void tell(Consumer<StoreListener> what) {
    if (listener == null) {
      return;
    }
    try {
      what.accept(listener);
    } catch (RuntimeException e) {
      listenerFailed(e);
    }
  }

  private static void listenerFailed(RuntimeException e) {
    LOG.log(System.Logger.Level.WARNING, "a store's listener failed", e);
  }
}
