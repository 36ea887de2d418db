/** Every way of moving entries between stores, files and foreign data. */
@SuppressWarnings("requires-automatic") // named in the manifest of its jar
module io.kvstadium.transfer {
  requires transitive io.kvstadium.store;
  requires transitive java.sql;
  requires com.fasterxml.jackson.core;
  requires com.github.luben.zstd_jni;
  requires org.apache.commons.csv;
  requires static org.jspecify;

  exports io.kvstadium.transfer;
  exports io.kvstadium.transfer.format;
  exports io.kvstadium.transfer.redis;
  exports io.kvstadium.transfer.source;

  uses java.sql.Driver;
}
