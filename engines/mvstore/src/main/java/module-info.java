/** The engine mvstore. */
@SuppressWarnings("requires-automatic") // H2's name is in its manifest
module io.kvstadium.engine.mvstore {
  requires transitive io.kvstadium.store;
  requires io.kvstadium.engine.h2file;
  requires com.h2database;

  exports io.kvstadium.engine.mvstore;

  provides io.kvstadium.store.engine.Engine with
      io.kvstadium.engine.mvstore.MvstoreEngine;
}
