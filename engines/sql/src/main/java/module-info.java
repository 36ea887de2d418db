/** What engines on SQL databases share. */
module io.kvstadium.engine.sql {
  requires transitive io.kvstadium.store;
  requires transitive java.sql;

  exports io.kvstadium.engine.sql;
}
