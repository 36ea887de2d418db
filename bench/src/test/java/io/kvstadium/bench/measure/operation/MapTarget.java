package io.kvstadium.bench.measure.operation;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.EntryReader;
import io.kvstadium.store.Range;
import io.kvstadium.store.ValueReader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A target that is a map, and keeps count of what is asked of it. */
public class MapTarget implements Target {
  public final ConcurrentSkipListMap<byte[], byte[]> entries =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
  public final AtomicLong gets = new AtomicLong();
  public final AtomicLong puts = new AtomicLong();
  public final AtomicLong deletes = new AtomicLong();
  public final List<Integer> batches = new ArrayList<>();
  public final List<Range<byte[]>> scans = new ArrayList<>();

  @Override
  public byte @Nullable [] get(byte[] key) {
    gets.incrementAndGet();
    return entries.get(key);
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys, int parallelism) {
    List<byte @Nullable []> values = new ArrayList<>();
    keys.forEach(key -> values.add(get(key)));
    return values;
  }

  @Override
  public void put(byte[] key, byte[] value) {
    puts.incrementAndGet();
    entries.put(key, value);
  }

  @Override
  public void delete(byte[] key) {
    deletes.incrementAndGet();
    entries.remove(key);
  }

  @Override
  public void write(List<byte[]> keys, List<byte @Nullable []> values) {
    batches.add(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      byte[] value = values.get(i);
      if (value == null) {
        entries.remove(keys.get(i));
      } else {
        entries.put(keys.get(i), value);
      }
    }
  }

  @Override
  public Cursor<byte[], byte[]> scan(Range<byte[]> range) {
    scans.add(range);
    return cursor(
        entries.entrySet().stream()
            .filter(each -> range.contains(each.getKey()))
            .limit(range.limit())
            .iterator());
  }

  public static Cursor<byte[], byte[]> cursor(Iterator<Map.Entry<byte[], byte[]>> found) {
    return new Cursor<>() {
      private Map.@Nullable Entry<byte[], byte[]> current;

      @Override
      public boolean next() {
        current = found.hasNext() ? found.next() : null;
        return current != null;
      }

      @Override
      public boolean seek(byte[] key) {
        throw new UnsupportedOperationException("trials do not seek");
      }

      @Override
      public byte[] key() {
        return current.getKey();
      }

      @Override
      public byte[] value() {
        return current.getValue();
      }

      @Override
      public <R extends @Nullable Object> R value(ValueReader<R> reader) {
        return reader.read(MemorySegment.ofArray(value()).asReadOnly());
      }

      @Override
      public long readRemaining(EntryReader reader) {
        throw new UnsupportedOperationException("trials do not read on");
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void close() {}
}
