package io.kvstadium.engine.tokyocabinet;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.kvstadium.bench.trial.Baseline;
import io.kvstadium.store.Durability;
import io.kvstadium.store.spi.StoreConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Tokyo Cabinet by hand: one buffer for all arguments, no locks. */
public final class RawTokyoCabinet implements Baseline {
  @Override
  public Handle open(StoreConfig config) {
    return new Raw(Database.open(config), config.durability());
  }

  private static final class Raw implements Handle {
    private final Database database;
    private final Kind kind;
    private final MemorySegment handle;
    private final boolean power;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment length = arena.allocate(JAVA_INT);
    private MemorySegment buffer = arena.allocate(1 << 16);

    Raw(Database database, Durability durability) {
      this.database = database;
      this.kind = database.kind;
      this.handle = database.handle;
      this.power = durability == Durability.POWER;
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
      MemorySegment.copy(key, 0, buffer, JAVA_BYTE, 0, key.length);
      MemorySegment value = kind.get(handle, buffer, key.length, length);
      if (value.equals(MemorySegment.NULL)) {
        database.isMiss("get");
        return null;
      }
      byte[] copy = Native.copy(value, length.get(JAVA_INT, 0));
      Native.free(value);
      return copy;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      if (buffer.byteSize() < key.length + value.length) {
        buffer = arena.allocate(2L * (key.length + value.length));
      }
      MemorySegment.copy(key, 0, buffer, JAVA_BYTE, 0, key.length);
      MemorySegment.copy(value, 0, buffer, JAVA_BYTE, key.length, value.length);
      begin();
      MemorySegment second = buffer.asSlice(key.length);
      database.check(kind.put(handle, buffer, key.length, second, value.length), "put");
      commit();
    }

    @Override
    public void delete(byte[] key) {
      MemorySegment.copy(key, 0, buffer, JAVA_BYTE, 0, key.length);
      begin();
      if (!kind.out(handle, buffer, key.length)) {
        database.isMiss("delete");
      }
      commit();
    }

    private void begin() {
      if (database.transactional) {
        database.check(Native.test(kind.begin, handle), "begin");
      }
    }

    private void commit() {
      if (database.transactional) {
        database.check(Native.test(kind.commit, handle), "commit");
      }
      if (power) {
        database.syncLog();
      }
    }

    @Override
    public void close() {
      database.close();
      arena.close();
    }
  }
}
