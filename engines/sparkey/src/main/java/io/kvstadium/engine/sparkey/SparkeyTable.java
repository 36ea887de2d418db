package io.kvstadium.engine.sparkey;

import io.kvstadium.store.engine.EngineTable;
import io.kvstadium.store.engine.declare.Options;
import java.util.concurrent.locks.ReentrantLock;

/** A table's current generation, which loads replace. */
final class SparkeyTable implements EngineTable {
  final Options options;

  /** Held during a load. */
  final ReentrantLock loading = new ReentrantLock();

  volatile Generation present;
  private final String name;

  SparkeyTable(String name, Options options, Generation present) {
    this.name = name;
    this.options = options;
    this.present = present;
  }

  @Override
  public String name() {
    return name;
  }
}
