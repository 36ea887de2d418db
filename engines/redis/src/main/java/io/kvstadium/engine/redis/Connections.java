package io.kvstadium.engine.redis;

import io.kvstadium.store.engine.help.ConnectionPool;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Connections to a database. A conversation reads all of its replies, even if one is an error.
 *
 * @param address where it is
 */
record Connections(Address address) implements ConnectionPool.Kind<Connection, RuntimeException> {
  @Override
  public Connection connect() {
    return address.connect();
  }

  @Override
  public boolean isUsable(Connection connection) {
    return !connection.isBroken();
  }

  @Override
  public boolean answers(Connection connection) {
    try {
      return connection.ping();
    } catch (JedisException _) {
      return false; // the server has closed it, or ended: another one will show
    }
  }

  @Override
  public void close(Connection connection) {
    connection.close();
  }
}
