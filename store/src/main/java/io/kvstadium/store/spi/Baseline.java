package io.kvstadium.store.spi;

import io.kvstadium.store.UnsupportedException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An engine used by hand, through its own API and as its makers would, without adapter and library:
 * what {@code stadium bench overhead} holds the library against. Found through {@link
 * java.util.ServiceLoader}; optional for an engine; not for applications.
 */
public interface Baseline {
  /** The name of the engine that it uses. */
  String engine();

  /** Opens a store with the same settings that the engine's adapter would use for this config. */
  Handle open(StoreConfig config) throws Exception;

  /** Whether {@link Handle#scan} is there. */
  default boolean canScan() {
    return false;
  }

  /** Whether {@link Handle#another} is there. */
  default boolean canShare() {
    return false;
  }

  /** An open store; every call on one thread. */
  interface Handle extends AutoCloseable {
    /** A copy of the value, or {@code null}. */
    byte @Nullable [] get(byte[] key) throws Exception;

    /** As durable as the config's level. */
    void put(byte[] key, byte[] value) throws Exception;

    /** As durable as the config's level. */
    void delete(byte[] key) throws Exception;

    /**
     * Gives copies of key and value of each entry, in the order of keys, from the least key that is
     * not below {@code from}; if {@link #canScan}.
     *
     * @return how many there were, {@code limit} at most
     */
    default int scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each) throws Exception {
      throw new UnsupportedException("there is no scan by hand of this engine");
    }

    /**
     * The same store, for another thread, as a program by hand would have it; if {@link #canShare}.
     * To be closed before this.
     */
    default Handle another() throws Exception {
      throw new UnsupportedException("there is no use by hand of this engine from several threads");
    }

    @Override
    void close() throws Exception;
  }
}
