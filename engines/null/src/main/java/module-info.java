/** The engine null, which does nothing. */
module io.kvstadium.engine.nothing {
  requires transitive io.kvstadium.store;

  exports io.kvstadium.engine.nothing;

  provides io.kvstadium.store.engine.Engine with
      io.kvstadium.engine.nothing.NullEngine;
}
