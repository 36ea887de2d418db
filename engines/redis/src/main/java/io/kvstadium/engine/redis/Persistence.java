package io.kvstadium.engine.redis;

import io.kvstadium.store.Durability;
import io.kvstadium.store.UnsupportedException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.SafeEncoder;

/**
 * What a server says about how it keeps its data.
 *
 * @param settings by CONFIG GET; without those that it does not have or does not report
 */
record Persistence(Map<String, String> settings) {
  private static final List<String> ASKED = List.of("*append*", "save", "maxmemory*", "durability");
  private static final String FSYNC = "appendfsync";
  private static final String NOT_WHILE_REWRITING = "no-appendfsync-on-rewrite";
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  static Persistence of(Connection connection) {
    ASKED.forEach(each -> connection.sendCommand(Command.CONFIG, "GET", each));
    Map<String, String> settings = new LinkedHashMap<>();
    for (Object reply : connection.getMany(ASKED.size())) {
      if (reply instanceof List<?> pairs) { // otherwise an error: a right is missing, say
        for (int i = 0; i + 1 < pairs.size(); i += 2) {
          settings.put(text(pairs.get(i)), text(pairs.get(i + 1)));
        }
      }
    }
    return new Persistence(settings);
  }

  private static String text(Object reply) {
    return SafeEncoder.encode((byte[]) reply);
  }

  private boolean has(String setting, String value) {
    return value.equals(settings.get(setting));
  }

  private boolean isStadium() {
    return settings.containsKey("durability");
  }

  /** The strongest level that is certain; not {@link Durability#ENGINE_DEFAULT}. */
  Durability level() {
    if (isStadium()) {
      Durability own = Durability.of(settings.getOrDefault("durability", ""));
      return own == Durability.ENGINE_DEFAULT ? Durability.NONE : own;
    }
    boolean evicts =
        !settings.getOrDefault("maxmemory", "0").equals("0")
            && !has("maxmemory-policy", "noeviction");
    if (evicts || !has("appendonly", "yes")) {
      return Durability.NONE;
    }
    return switch (settings.getOrDefault(FSYNC, "")) {
      case "always" -> has(NOT_WHILE_REWRITING, "no") ? Durability.POWER : Durability.PROCESS;
      case "no" -> Durability.PROCESS;
      default -> Durability.NONE; // everysec defers writes while a sync is slow
    };
  }

  /** Refuses a level that the server does not give. */
  void demand(Durability asked, Address address) {
    if (asked != Durability.ENGINE_DEFAULT && asked.compareTo(level()) > 0) {
      throw new UnsupportedException(
          ("redis: %s cannot give durability %s: its server %s; %s, or ask for less,"
                  + " such as durability=none")
              .formatted(
                  address,
                  asked.word(),
                  isStadium() || settings.containsKey("appendonly")
                      ? "has " + told()
                      : "does not report its settings",
                  isStadium()
                      ? "serve its store with durability=" + asked.word()
                      : "run it with appendonly yes, appendfsync always,"
                          + " no-appendfsync-on-rewrite no and maxmemory-policy noeviction"));
    }
  }

  private String told() {
    StringBuilder told = new StringBuilder();
    for (String each :
        List.of("durability", "appendonly", FSYNC, NOT_WHILE_REWRITING, "maxmemory-policy")) {
      String value = settings.get(each);
      if (value != null && (each.equals("durability") || !isStadium())) {
        told.append(told.isEmpty() ? "" : ", ").append(each).append(' ').append(value);
      }
    }
    return told.toString();
  }

  /**
   * Has the server put on its disk what it has acknowledged; does nothing if it keeps nothing.
   *
   * @param mark a key that may be written
   */
  void sync(Connection connection, byte[] mark) {
    if (level() == Durability.POWER) {
      return;
    }
    connection.setTimeoutInfinite();
    try {
      if (isStadium()) {
        save(connection);
      } else if (has("appendonly", "yes")) {
        syncLog(connection, mark);
      } else if (!settings.containsKey("appendonly")) {
        throw new UnsupportedException(
            "redis: sync() is not possible: the server does not say how it keeps its data");
      } else if (!settings.getOrDefault("save", "").isEmpty()) {
        save(connection);
      }
    } finally {
      connection.rollbackTimeout();
    }
  }

  /** The first write after the change syncs the whole log. */
  private void syncLog(Connection connection, byte[] mark) {
    set(connection, NOT_WHILE_REWRITING, "no");
    set(connection, FSYNC, "always");
    connection.sendCommand(Command.EXISTS, mark);
    boolean marked = connection.getIntegerReply() == 1;
    connection.sendCommand(Command.SET, mark, RedisStore.NOTHING);
    connection.getOne();
    if (!marked) {
      connection.sendCommand(Command.DEL, mark);
      connection.getOne();
    }
    set(connection, FSYNC, settings.getOrDefault(FSYNC, "everysec"));
    set(connection, NOT_WHILE_REWRITING, settings.getOrDefault(NOT_WHILE_REWRITING, "no"));
  }

  private static void set(Connection connection, String setting, String value) {
    connection.sendCommand(Command.CONFIG, "SET", setting, value);
    connection.getOne();
  }

  private static void save(Connection connection) {
    while (true) {
      try {
        connection.sendCommand(Command.SAVE);
        connection.getOne();
        return;
      } catch (JedisDataException e) {
        if (!String.valueOf(e.getMessage()).contains("in progress")) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE_NANOS); // one is under way that began too early
      }
    }
  }
}
