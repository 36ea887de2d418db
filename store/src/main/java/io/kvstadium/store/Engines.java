package io.kvstadium.store;

import io.kvstadium.store.spi.Engine;

/** The engines that can be used. */
public interface Engines {
  /** Those on the class path, found through {@link java.util.ServiceLoader}. */
  static Engines installed() {
    throw new IllegalStateException();
  }
  /** by name */
  Engine engine(String name);
}
