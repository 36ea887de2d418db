package io.kvstadium.engine.memory;

import io.kvstadium.store.Range;
import io.kvstadium.store.engine.help.IteratorCursor;
import io.kvstadium.store.engine.help.NamedTable;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Function;

/** Walks over one immutable root, so later writes do not affect it. */
final class MemoryCursor extends IteratorCursor {
  private final Function<Range<byte[]>, Iterator<Map.Entry<byte[], byte[]>>> source;
  private final Range<byte[]> range;

  MemoryCursor(Root root, NamedTable table, Range<byte[]> range) {
    this(rest -> root.scan(table, rest), range);
  }

  /**
   * @param source gives the entries of a part of the range, in its direction
   */
  MemoryCursor(
      Function<Range<byte[]>, Iterator<Map.Entry<byte[], byte[]>>> source, Range<byte[]> range) {
    super(source.apply(range));
    this.source = source;
    this.range = range;
  }

  @Override
  public boolean canSeek() {
    return true;
  }

  @Override
  public boolean seek(byte[] start) {
    return goOn(source.apply(range.reversed() ? range.to(start, true) : range.from(start, true)));
  }

  @Override
  public boolean isImmutable() {
    return true;
  }

  @Override
  public Object immutableKey() {
    return keyArray();
  }

  @Override
  public Object immutableValue() {
    return valueArray();
  }
}
