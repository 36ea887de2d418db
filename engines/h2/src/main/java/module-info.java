/** The engine h2. */
@SuppressWarnings({"module", "requires-automatic"}) // H2 is called so, and named in its jar
module io.kvstadium.engine.h2 {
  requires transitive io.kvstadium.store;
  requires io.kvstadium.engine.h2file;
  requires io.kvstadium.engine.sql;
  requires transitive java.sql;
  requires com.h2database;

  exports io.kvstadium.engine.h2;

  provides io.kvstadium.store.engine.Engine with
      io.kvstadium.engine.h2.H2Engine;
}
