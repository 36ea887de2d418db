package io.kvstadium.engine.sparkey;

import io.kvstadium.store.spi.EngineTable;
import io.kvstadium.store.spi.Options;
import java.util.concurrent.locks.ReentrantLock;

/** A table's present generation, which loads replace. */
final class SparkeyTable implements EngineTable {
  private final String name;
  private final Options options;
  private final ReentrantLock loading = new ReentrantLock();
  private volatile Generation present;

  SparkeyTable(String name, Options options, Generation present) {
    this.name = name;
    this.options = options;
    this.present = present;
  }

  @Override
  public String name() {
    return name;
  }

  Options options() {
    return options;
  }

  /** Held during a load. */
  ReentrantLock loading() {
    return loading;
  }

  Generation present() {
    return present;
  }

  void replace(Generation next) {
    present = next;
  }
}
