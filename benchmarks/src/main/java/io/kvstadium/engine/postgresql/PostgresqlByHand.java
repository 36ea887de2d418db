package io.kvstadium.engine.postgresql;

import io.kvstadium.benchmarks.ByHand;
import io.kvstadium.engine.sql.PrivateServer;
import io.kvstadium.store.engine.StoreConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** JDBC by hand, on a private server with the adapter's settings, and a connection as it has. */
public final class PostgresqlByHand implements ByHand {
  private final PrivateServer server;
  private final Connection connection;
  private final PreparedStatement get;
  private final PreparedStatement put;
  private final PreparedStatement putAll;
  private final PreparedStatement scan;

  /** Starts the server, and creates the table. */
  public PostgresqlByHand(StoreConfig config) throws Exception {
    Postgres program = Postgres.of(Postgres.programFor(config.directory(), ""));
    server =
        PrivateServer.start(config.directory(), program, "-cfsync=off", "-cfull_page_writes=off");
    connection = PgConnections.of(config, server, program.port()).connect();
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE entries (k bytea NOT NULL PRIMARY KEY, v bytea NOT NULL)");
    }
    get = connection.prepareStatement("SELECT v FROM entries WHERE k = ?");
    String update = " ON CONFLICT (k) DO UPDATE SET v = excluded.v";
    put = connection.prepareStatement("INSERT INTO entries VALUES (?, ?)" + update);
    putAll = connection.prepareStatement("INSERT INTO entries SELECT * FROM unnest(?, ?)" + update);
    scan = connection.prepareStatement("SELECT k, v FROM entries WHERE k >= ? ORDER BY k LIMIT ?");
  }

  @Override
  public byte @Nullable [] get(byte[] key) throws Exception {
    get.setBytes(1, key);
    try (ResultSet row = get.executeQuery()) {
      return row.next() ? row.getBytes(1) : null;
    }
  }

  @Override
  public void put(byte[] key, byte[] value) throws Exception {
    put.setBytes(1, key);
    put.setBytes(2, value);
    put.executeUpdate();
  }

  @Override
  public void putAll(List<byte[]> keys, byte[] value) throws Exception {
    byte[][] values = new byte[keys.size()][];
    Arrays.fill(values, value);
    putAll.setArray(1, connection.createArrayOf("bytea", keys.toArray(byte[][]::new)));
    putAll.setArray(2, connection.createArrayOf("bytea", values));
    putAll.executeUpdate();
  }

  @Override
  public void scan(byte[] from, int limit, BiConsumer<byte[], byte[]> each) throws Exception {
    scan.setBytes(1, from);
    scan.setInt(2, limit);
    try (ResultSet rows = scan.executeQuery()) {
      while (rows.next()) {
        each.accept(rows.getBytes(1), rows.getBytes(2));
      }
    }
  }

  @Override
  public void close() throws Exception {
    connection.close();
    server.close();
  }
}
