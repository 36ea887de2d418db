package io.kvstadium.engine.redis;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Range;
import io.kvstadium.store.Store;
import io.kvstadium.store.engine.EngineCursor;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.Write;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import io.kvstadium.store.engine.help.ConnectionPool;
import io.kvstadium.store.engine.help.NamedTable;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.SafeEncoder;

/** One database. */
final class RedisStore implements EngineStore<NamedTable> {
  static final byte[] NOTHING = {};

  /** The key that marks a database as a store's. */
  private static final byte[] MARK = "kv-stadium:store".getBytes(StandardCharsets.US_ASCII);

  /** For one command: others wait meanwhile, and servers take a million arguments at most. */
  private static final int MOST_KEYS = 10_000;

  private static final NamedTable TABLE = new NamedTable(Store.DEFAULT_TABLE);

  private final ConnectionPool<Connection, RuntimeException> connections;
  private final Address address;
  private final Persistence persistence;
  private final boolean counts;
  private final ReentrantLock syncing = new ReentrantLock();

  private RedisStore(
      ConnectionPool<Connection, RuntimeException> connections,
      Address address,
      Persistence persistence,
      boolean counts) {
    this.connections = connections;
    this.address = address;
    this.persistence = persistence;
    this.counts = counts;
  }

  static RedisStore open(StoreConfig config, Address address) {
    int most = (int) config.options().integer("connections");
    ConnectionPool<Connection, RuntimeException> connections =
        new ConnectionPool<>(
            "redis", address.toString(), most, ConnectionPool.USUAL_WAIT, new Connections(address));
    try {
      return connections.call(connection -> {
        Persistence persistence = Persistence.of(connection);
        persistence.demand(config.durability(), address);
        boolean made = isStore(connection, address);
        if (!made && !config.readOnly()) {
          connection.sendCommand(Command.SET, MARK, NOTHING);
          connection.getOne();
        }
        // not for servers that only know how many keys there were when they last counted
        boolean counts = !address.shared() && !info(connection).containsKey("kvrocks_version");
        return new RedisStore(connections, address, persistence, counts);
      });
    } catch (RuntimeException | Error e) {
      connections.close();
      throw e;
    }
  }

  /**
   * Whether the database is a store; false if it is empty.
   *
   * @throws BadArgumentException if its keys are not a store's
   */
  static boolean isStore(Connection connection, Address address) {
    if (address.shared()) {
      return true;
    }
    connection.sendCommand(Command.EXISTS, MARK);
    if (connection.getIntegerReply() == 1) {
      return true;
    }
    connection.sendCommand(Command.RANDOMKEY);
    if (connection.getOne() != null) {
      throw new BadArgumentException(
          "redis: "
              + address
              + " holds keys that are not a store's: use another database, as in redis://host/1, or"
              + " say shared=true to use it as it is");
    }
    return false;
  }

  static boolean isMark(byte[] key) {
    return Arrays.equals(key, MARK);
  }

  boolean isShared() {
    return address.shared();
  }

  // ---- what it is

  @Override
  public String identity() {
    String server = connections.call(RedisStore::info).get("run_id");
    return server == null ? "" : server + "/" + address.client().getDatabase();
  }

  @Override
  public Set<String> tables() {
    return Set.of(Store.DEFAULT_TABLE);
  }

  @Override
  public NamedTable openTable(String name, Options options, boolean create) {
    return TABLE;
  }

  @Override
  public @Nullable Failure classify(Throwable thrown) {
    return RedisErrors.of(thrown);
  }

  // ---- entries

  /** Returns the reply to a command whose reply is a list. */
  List<?> list(CommandArguments command) {
    return read(connection -> {
      connection.sendCommand(command);
      return connection.getObjectMultiBulkReply();
    });
  }

  /**
   * That a connection was lost while nobody used it is found out by reading, which may be again.
   */
  private <R extends @Nullable Object> R read(
      ConnectionPool.Call<Connection, R, RuntimeException> reading) {
    boolean[] begun = new boolean[1];
    try {
      return connections.call(connection -> {
        begun[0] = true;
        return reading.on(connection);
      });
    } catch (JedisConnectionException e) {
      if (begun[0] && !(e.getCause() instanceof SocketTimeoutException)) {
        return connections.call(reading);
      }
      throw e;
    }
  }

  /** Makes a change, which may have been made or not if the connection is lost meanwhile. */
  private <R extends @Nullable Object> R change(
      ConnectionPool.Call<Connection, R, RuntimeException> change) {
    return connections.call(connection -> {
      try {
        return change.on(connection);
      } catch (JedisConnectionException e) {
        throw new RedisErrors.LostReply(e);
      }
    });
  }

  private void change(CommandArguments command) {
    change(connection -> connection.executeCommand(command));
  }

  private @Nullable Object ask(Command command, byte[]... arguments) {
    return read(connection -> {
      connection.sendCommand(command, arguments);
      return connection.getOne();
    });
  }

  @Override
  public byte @Nullable [] get(NamedTable table, byte[] key) {
    return isMark(key) ? null : (byte @Nullable []) ask(Command.GET, key);
  }

  @Override
  public boolean contains(NamedTable table, byte[] key) {
    return !isMark(key) && Long.valueOf(1).equals(ask(Command.EXISTS, key));
  }

  @Override
  public byte[] @Nullable [] multiGet(NamedTable table, byte[][] keys) {
    return multiGet(keys);
  }

  byte[] @Nullable [] multiGet(byte[][] keys) {
    byte[] @Nullable [] values = new byte[keys.length] @Nullable [];
    for (int from = 0; from < keys.length; from += MOST_KEYS) {
      int to = Math.min(keys.length, from + MOST_KEYS);
      CommandArguments command = new CommandArguments(Command.MGET);
      for (int i = from; i < to; i++) {
        command.add(keys[i]);
      }
      List<?> reply = list(command);
      for (int i = from; i < to; i++) {
        values[i] = isMark(keys[i]) ? null : (byte @Nullable []) reply.get(i - from);
      }
    }
    return values;
  }

  @Override
  public void put(NamedTable table, byte[] key, byte[] value) {
    change(new CommandArguments(Command.SET).add(checked(key)).add(value));
  }

  @Override
  public void delete(NamedTable table, byte[] key) {
    change(new CommandArguments(Command.DEL).add(checked(key)));
  }

  private static byte[] checked(byte[] key) {
    if (isMark(key)) {
      throw new BadArgumentException(
          "redis: the key '" + SafeEncoder.encode(MARK) + "' marks the store: use another one");
    }
    return key;
  }

  /** Consecutive puts are one MSET, consecutive deletions one DEL. */
  @Override
  public void write(List<Write<NamedTable>> writes) {
    List<CommandArguments> commands = new ArrayList<>();
    CommandArguments last = new CommandArguments(Command.MULTI);
    commands.add(last);
    for (Write<NamedTable> write : writes) {
      byte[] value = write.value();
      Command command = value == null ? Command.DEL : Command.MSET;
      if (last.getCommand() != command || last.size() > 2 * MOST_KEYS) {
        last = new CommandArguments(command);
        commands.add(last);
      }
      last.add(checked(write.key()));
      if (value != null) {
        last.add(value);
      }
    }
    if (commands.size() == 2) {
      CommandArguments only = last;
      change(only);
      return;
    }
    commands.add(new CommandArguments(Command.EXEC));
    change(connection -> {
      commands.forEach(connection::sendCommand);
      check(connection.getMany(commands.size()));
      return true;
    });
  }

  /** Throws the first error among the replies, and among those that one of them lists. */
  private static void check(List<?> replies) {
    for (Object reply : replies) {
      if (reply instanceof JedisDataException error) {
        throw error;
      }
      if (reply instanceof List<?> inner) {
        check(inner);
      }
    }
  }

  @Override
  public EngineCursor cursor(NamedTable table, Range<byte[]> range) {
    return new RedisCursor(this, range);
  }

  // ---- the whole

  @Override
  public boolean clear(NamedTable table) {
    if (address.shared()) {
      return false;
    }
    change(connection -> {
      empty(connection, true);
      return true;
    });
    return true;
  }

  /** Removes all keys, including the mark or not. */
  static void empty(Connection connection, boolean keepMark) {
    connection.setTimeoutInfinite();
    try {
      connection.sendCommand(Command.MULTI);
      connection.sendCommand(Command.FLUSHDB);
      if (keepMark) {
        connection.sendCommand(Command.SET, MARK, NOTHING);
      }
      connection.sendCommand(Command.EXEC);
      check(connection.getMany(keepMark ? 4 : 3));
    } finally {
      connection.rollbackTimeout();
    }
  }

  @Override
  public long count(NamedTable table) {
    return counts ? estimateCount(table) : -1;
  }

  @Override
  public long estimateCount(NamedTable table) {
    return connections.call(connection -> {
      connection.sendCommand(Command.MULTI);
      connection.sendCommand(Command.DBSIZE);
      connection.sendCommand(Command.EXISTS, MARK);
      connection.sendCommand(Command.EXEC);
      List<Object> replies = connection.getMany(4);
      check(replies);
      List<?> counts = (List<?>) replies.getLast();
      return (Long) counts.get(0) - (Long) counts.get(1);
    });
  }

  @Override
  public void sync() {
    syncing.lock();
    try {
      connections.call(connection -> {
        persistence.sync(connection, MARK);
        return true;
      });
    } finally {
      syncing.unlock();
    }
  }

  @Override
  public Map<String, String> stats() {
    Map<String, String> stats = new LinkedHashMap<>(persistence.settings());
    stats.putAll(connections.call(RedisStore::info));
    return stats;
  }

  private static Map<String, String> info(Connection connection) {
    connection.sendCommand(Command.INFO);
    Map<String, String> lines = new LinkedHashMap<>();
    for (String line : connection.getBulkReply().split("\r?\n")) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        lines.put(line.substring(0, colon), line.substring(colon + 1));
      }
    }
    return lines;
  }

  @Override
  public void close() {
    connections.close();
  }
}
