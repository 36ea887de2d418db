package io.kvstadium.store.spi;

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
  Handle open(StoreConfig config);

  /** An open store; every call on one thread. */
  interface Handle extends AutoCloseable {
    /** A copy of the value, or {@code null}. */
    byte @Nullable [] get(byte[] key);

    /** As durable as the config's level. */
    void put(byte[] key, byte[] value);

    /** As durable as the config's level. */
    void delete(byte[] key);

    @Override
    void close();
  }
}
