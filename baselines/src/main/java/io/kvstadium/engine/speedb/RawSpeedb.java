package io.kvstadium.engine.speedb;

import io.kvstadium.engine.rocksjava.RocksJavaBaseline;

/** Speedb by hand. */
public final class RawSpeedb extends RocksJavaBaseline {
  /** Made by {@link java.util.ServiceLoader}. */
  public RawSpeedb() {
    super(new SpeedbEngine());
  }
}
