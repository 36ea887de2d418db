/** The engine sqlite. */
module io.kvstadium.engine.sqlite {
  requires transitive io.kvstadium.store;
  requires io.kvstadium.engine.sql;
  requires java.sql;
  requires org.xerial.sqlitejdbc;

  exports io.kvstadium.engine.sqlite;

  provides io.kvstadium.store.engine.Engine with
      io.kvstadium.engine.sqlite.SqliteEngine;
}
