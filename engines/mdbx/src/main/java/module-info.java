/** The engine mdbx, over libmdbx. */
module io.kvstadium.engine.mdbx {
  requires transitive io.kvstadium.store;

  exports io.kvstadium.engine.mdbx;

  provides io.kvstadium.store.engine.Engine with
      io.kvstadium.engine.mdbx.MdbxEngine;
}
