package io.kvstadium.store.internal.move;

import io.kvstadium.store.engine.EngineTable;

/** A table of both stores of a move. The handles of a store are set before it is used. */
final class MovedTable implements EngineTable {
  final EngineTable[] handles = new EngineTable[2];
  private final String name;

  MovedTable(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }
}
