package io.kvstadium.engine.rocksdb;

import io.kvstadium.engine.rocksjava.RocksJavaBaseline;

/** RocksDB by hand. */
public final class RawRocksDb extends RocksJavaBaseline {
  /** Made by {@link java.util.ServiceLoader}. */
  public RawRocksDb() {
    super(new RocksDbEngine());
  }
}
