/** The engine leveldb, over the system's library. */
module io.kvstadium.engine.leveldb {
  requires transitive io.kvstadium.store;

  exports io.kvstadium.engine.leveldb;

  provides io.kvstadium.store.engine.Engine with
      io.kvstadium.engine.leveldb.LevelDbEngine;
}
