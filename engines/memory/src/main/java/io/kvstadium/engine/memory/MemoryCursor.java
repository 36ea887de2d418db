package io.kvstadium.engine.memory;

import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.help.NamedTable;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Walks over one immutable root, so later writes do not affect it. */
final class MemoryCursor implements EngineCursor {
  private final Function<Range<byte[]>, Iterator<Map.Entry<byte[], byte[]>>> source;
  private final Range<byte[]> range;
  private Iterator<Map.Entry<byte[], byte[]>> entries;
  private byte[] key = new byte[0];
  private byte[] value = new byte[0];

  MemoryCursor(Root root, NamedTable table, Range<byte[]> range) {
    this(rest -> root.scan(table, rest), range);
  }

  /**
   * @param source gives the entries of a part of the range, in its direction
   */
  MemoryCursor(
      Function<Range<byte[]>, Iterator<Map.Entry<byte[], byte[]>>> source, Range<byte[]> range) {
    this.source = source;
    this.range = range;
    this.entries = source.apply(range);
  }

  @Override
  public boolean canSeek() {
    return true;
  }

  @Override
  public boolean seek(byte[] start) {
    entries = source.apply(range.reversed() ? range.to(start, true) : range.from(start, true));
    return next();
  }

  @Override
  public boolean next() {
    if (!entries.hasNext()) {
      return false;
    }
    Map.Entry<byte[], byte[]> entry = entries.next();
    key = entry.getKey();
    value = entry.getValue();
    return true;
  }

  @Override
  public byte[] key() {
    return key.clone();
  }

  @Override
  public byte[] value() {
    return value.clone();
  }

  @Override
  public <R extends @Nullable Object> R value(ValueReader<R> reader) {
    return reader.read(MemorySegment.ofArray(value).asReadOnly());
  }

  @Override
  public boolean isImmutable() {
    return true;
  }

  @Override
  public Object immutableKey() {
    return key;
  }

  @Override
  public Object immutableValue() {
    return value;
  }

  @Override
  public void close() {} // the garbage collector does the rest
}
