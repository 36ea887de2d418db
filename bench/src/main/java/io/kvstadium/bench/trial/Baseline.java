package io.kvstadium.bench.trial;

import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.StoreConfig;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An engine used by hand, through its own API and as its makers would, without adapter and library:
 * what {@code stadium bench overhead} compares the library with. The baseline of an engine whose
 * class is {@code p.NameEngine} is {@code p.RawName} with a public constructor, in the engine's own
 * class loader: so it may use what the adapter knows of settings.
 */
public interface Baseline {
  /** The baseline of an engine, or {@code null} if it has none. */
  static @Nullable Baseline of(Engine engine) {
    Class<?> adapter = engine.getClass();
    String name = adapter.getSimpleName();
    if (!name.endsWith("Engine")) {
      return null;
    }
    String raw = ".Raw" + name.substring(0, name.length() - "Engine".length());
    try {
      return Class.forName(adapter.getPackageName() + raw, true, adapter.getClassLoader())
          .asSubclass(Baseline.class)
          .getConstructor()
          .newInstance();
    } catch (ClassNotFoundException e) {
      return null;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a baseline has a public constructor: " + e, e);
    }
  }

  /** Opens a store with the same settings that the engine's adapter would use for this config. */
  Handle open(StoreConfig config) throws Exception;

  /** Whether {@link Handle#scan} is available. */
  default boolean canScan() {
    return false;
  }

  /** Whether {@link Handle#another} is available. */
  default boolean canShare() {
    return false;
  }

  /** An open store; all calls are on one thread. */
  interface Handle extends AutoCloseable {
    /** A copy of the value, or {@code null}. */
    byte @Nullable [] get(byte[] key) throws Exception;

    /** Writes as durably as the config's level. */
    void put(byte[] key, byte[] value) throws Exception;

    /** Writes as durably as the config's level. */
    void delete(byte[] key) throws Exception;

    /**
     * Passes copies of the key and value of each entry, in the order of keys, from the least key
     * that is not below {@code from}; only if {@link #canScan}.
     *
     * @return how many there were, {@code limit} at most
     */
    default int scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each) throws Exception {
      throw new UnsupportedException("there is no scan by hand of this engine");
    }

    /**
     * Returns the same store for another thread, as a hand-written program would have it; only if
     * {@link #canShare}. Must be closed before this.
     */
    default Handle another() throws Exception {
      throw new UnsupportedException("this engine cannot be used by hand from several threads");
    }

    @Override
    void close() throws Exception;
  }
}
