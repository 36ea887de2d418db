package io.kvstadium.server.http;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a range, written portion by portion; all from one moment if the engine has
 * snapshots. Belongs to one thread at a time, and may touch the disk.
 */
public final class Scan implements AutoCloseable {
  private static final int PORTION = 64 << 10;
  private static final int COUNTED_AT_ONCE = 16_384;

  /**
   * The request.
   *
   * @param table may touch the store
   * @param range may read the table, to find where to begin
   * @param goesOn the scan ends before the first key for which it is false
   * @param limit the most entries
   */
  public record Plan(
      Supplier<Table<byte[], byte[]>> table,
      Function<TableReader<byte[], byte[]>, Range<byte[]>> range,
      Predicate<byte[]> goesOn,
      EntryFormat format,
      long limit) {}

  private final Store store;
  private final Plan plan;
  private final long maxBytes;
  private @Nullable Snapshot snapshot;
  private @Nullable TableReader<byte[], byte[]> table;
  private @Nullable Range<byte[]> range;
  private @Nullable Cursor<byte[], byte[]> cursor;
  private @Nullable Cursor<byte[], byte[]> counter;
  private byte @Nullable [] last;
  private long entries;
  private long bytes;
  private long counted;
  private boolean isCounted;
  private boolean ended;

  public Scan(Store store, Plan plan, long maxBytes) {
    this.store = store;
    this.plan = plan;
    this.maxBytes = maxBytes;
  }

  EntryFormat format() {
    return plan.format();
  }

  /** Whether everything is written. */
  boolean ended() {
    return ended;
  }

  /** Whether it can be read twice with the same result. */
  boolean isSnapshot() {
    return snapshot != null;
  }

  /** How many bytes are yet to be written, once {@link #count} is done; or -1. */
  long remaining() {
    return isCounted ? counted : -1;
  }

  /** Writes the next portion. */
  void write(ByteBuf out) {
    int before = out.readableBytes();
    Cursor<byte[], byte[]> from = cursor == null ? open(out) : cursor;
    while (!ended && out.readableBytes() - before < PORTION) {
      if (!from.next() || !plan.goesOn().test(from.key())) {
        end(out, null);
      } else if (entries == plan.limit()) {
        end(out, last);
      } else {
        entry(out, from);
      }
    }
    bytes += out.readableBytes() - before;
    checkSize(bytes);
  }

  private void entry(ByteBuf out, Cursor<byte[], byte[]> from) {
    byte[] key = from.key();
    if (range != null && range.withoutValues()) {
      plan.format().entry(out, key, null);
    } else {
      var _ =
          from.value(value -> {
            plan.format().entry(out, key, value);
            return true;
          });
    }
    last = key;
    entries++;
  }

  private Cursor<byte[], byte[]> open(ByteBuf out) {
    Table<byte[], byte[]> whole = plan.table().get();
    if (store.capabilities().contains(Capability.SNAPSHOT)) {
      snapshot = store.snapshot();
    }
    table = snapshot == null ? whole : snapshot.on(whole);
    range = plan.range().apply(table);
    plan.format().begin(out);
    cursor = table.scan(range);
    return cursor;
  }

  private void end(ByteBuf out, byte @Nullable [] behind) {
    plan.format().end(out, behind);
    ended = true;
    close();
  }

  /** Adds up some of what is yet to be written, if the format knows lengths. */
  void count() {
    if (counter == null) {
      if (table == null || range == null || last == null) {
        throw new IllegalStateException("nothing is written yet");
      }
      counter = table.scan(range.from(last, false));
    }
    for (int i = 0; i < COUNTED_AT_ONCE; i++) {
      if (!counter.next() || !plan.goesOn().test(counter.key())) {
        isCounted = true;
        counter.close();
        break;
      }
      Long value = counter.value(each -> each.byteSize());
      counted += plan.format().length(counter.key().length, value);
    }
    checkSize(bytes + counted);
  }

  private void checkSize(long size) {
    if (size > maxBytes) {
      throw new HttpException(
          HttpResponseStatus.UNPROCESSABLE_ENTITY,
          "the scan gives more than %d bytes: ask for a smaller range".formatted(maxBytes));
    }
  }

  /** Releases what it holds of the store. A second call does nothing. */
  @Override
  public void close() {
    if (counter != null) {
      counter.close();
    }
    if (cursor != null) {
      cursor.close();
    }
    if (snapshot != null) {
      snapshot.close();
    }
  }
}
