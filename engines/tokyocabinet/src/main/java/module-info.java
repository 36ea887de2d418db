/** The engine tokyocabinet, over the system's library. */
module io.kvstadium.engine.tokyocabinet {
  requires transitive io.kvstadium.store;

  exports io.kvstadium.engine.tokyocabinet;

  provides io.kvstadium.store.engine.Engine with
      io.kvstadium.engine.tokyocabinet.TokyoCabinetEngine;
}
