/** The engine memory, which keeps nothing. */
module io.kvstadium.engine.memory {
  requires transitive io.kvstadium.store;
  requires org.pcollections;

  exports io.kvstadium.engine.memory;

  provides io.kvstadium.store.engine.Engine with
      io.kvstadium.engine.memory.MemoryEngine;
}
