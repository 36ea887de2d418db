/** The engine qdbm, over the system's library. */
module io.kvstadium.engine.qdbm {
  requires transitive io.kvstadium.store;

  exports io.kvstadium.engine.qdbm;

  provides io.kvstadium.store.engine.Engine with
      io.kvstadium.engine.qdbm.QdbmEngine;
}
