package io.kvstadium.bench.trial;

import io.kvstadium.store.Cursor;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.StoreConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The engine's own API, by hand. */
final class BaselineTarget implements Target {
  private final Baseline.Handle handle;

  BaselineTarget(Baseline.Handle handle) {
    this.handle = handle;
  }

  /** Opens or creates the store of a config. */
  static BaselineTarget open(Engine engine, StoreConfig config) {
    Baseline baseline = Baseline.of(engine);
    if (baseline == null) {
      throw new UnsupportedException(
          "engine " + engine.info().name() + " comes without a baseline by hand");
    }
    try {
      if (config.path() != null) {
        Path mark = Files.createDirectories(config.path()).resolve("stadium.lock");
        if (Files.notExists(mark)) {
          Files.createFile(mark); // so that the library takes it for a store, and destroys it
        }
      }
      return new BaselineTarget(baseline.open(config));
    } catch (Exception e) {
      throw failed(e);
    }
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    try {
      return handle.get(key);
    } catch (Exception e) {
      throw failed(e);
    }
  }

  @Override
  public void put(byte[] key, byte[] value) {
    try {
      handle.put(key, value);
    } catch (Exception e) {
      throw failed(e);
    }
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys, int parallelism) {
    throw new UnsupportedException("access = \"raw\" has no multi-get");
  }

  @Override
  public void delete(byte[] key) {
    try {
      handle.delete(key);
    } catch (Exception e) {
      throw failed(e);
    }
  }

  @Override
  public void write(List<byte[]> keys, List<byte @Nullable []> values) {
    throw new UnsupportedException("access = \"raw\" has single operations only: set batch = 1");
  }

  @Override
  public Cursor scan(Range range) {
    throw new UnsupportedException("access = \"raw\" has no cursors");
  }

  @Override
  public int scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each) {
    try {
      return handle.scan(from, limit, each);
    } catch (Exception e) {
      throw failed(e);
    }
  }

  @Override
  public Target another() {
    try {
      return new BaselineTarget(handle.another());
    } catch (Exception e) {
      throw failed(e);
    }
  }

  @Override
  public void close() {
    try {
      handle.close();
    } catch (Exception e) {
      throw failed(e);
    }
  }

  private static RuntimeException failed(Exception e) {
    return e instanceof RuntimeException known
        ? known
        : new StadiumException("the engine failed when used by hand: " + e, e);
  }
}
