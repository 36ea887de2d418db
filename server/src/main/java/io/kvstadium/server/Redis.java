package io.kvstadium.server;

import io.kvstadium.server.access.Users;
import io.kvstadium.server.backup.ServedBackups;
import io.kvstadium.server.client.Budget;
import io.kvstadium.server.client.OutputLimits;
import io.kvstadium.server.command.CommandRunner;
import io.kvstadium.server.command.Handlers;
import io.kvstadium.server.command.Parameters;
import io.kvstadium.server.command.ServerContext;
import io.kvstadium.server.command.SizeLimit;
import io.kvstadium.server.command.Sweep;
import io.kvstadium.server.command.hashes.HashHandlers;
import io.kvstadium.server.command.keys.KeyHandlers;
import io.kvstadium.server.command.lists.ListHandlers;
import io.kvstadium.server.command.server.RedisFigures;
import io.kvstadium.server.command.server.ServerHandlers;
import io.kvstadium.server.command.server.ServerInfo;
import io.kvstadium.server.command.sets.SetHandlers;
import io.kvstadium.server.command.sortedsets.SortedSetHandlers;
import io.kvstadium.server.command.streams.StreamHandlers;
import io.kvstadium.server.command.strings.StringHandlers;
import io.kvstadium.server.database.Database;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.figures.Figures;
import io.kvstadium.server.figures.StoreSize;
import io.kvstadium.server.log.Log;
import io.kvstadium.server.notify.KeyEvents;
import io.kvstadium.server.notify.Listeners;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.scripts.ScriptHandlers;
import io.kvstadium.server.scripts.Scripts;
import io.kvstadium.server.session.Sessions;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The Redis protocol over a store: puts its parts together. Safe for all threads. */
final class Redis implements AutoCloseable {
  private final ServerContext server;
  private final CommandRunner runner;
  private final Scripts scripts;
  private final Sessions sessions;
  private final @Nullable Sweep sweep;

  /**
   * The commands over a store.
   *
   * @param raw whether databases are plain tables
   * @param users who may do what
   * @param backups of the store
   * @param budget the memory of requests, replies and scripts
   * @param maxString bytes of a string
   * @param reporter receives failures of the store
   * @param log receives what clients do that an operator should know
   * @param whenCleared runs when databases were cleared
   * @param shutdown ends the server, when a client asks for it; returns at once
   */
  Redis(
      Executor executor,
      boolean raw,
      Users users,
      ServedBackups backups,
      Budget budget,
      int maxString,
      InstantSource clock,
      Consumer<RuntimeException> reporter,
      Log log,
      Runnable whenCleared,
      Runnable shutdown) {
    server = new ServerContext(executor, raw, users, budget, maxString, clock, reporter, log);
    scripts = new Scripts(budget);
    StoreSize size = new StoreSize(executor.store(), server.background()::run);
    Handlers handlers = new Handlers();
    StringHandlers.addTo(handlers);
    HashHandlers.addTo(handlers);
    ListHandlers.addTo(handlers);
    SetHandlers.addTo(handlers);
    SortedSetHandlers.addTo(handlers);
    StreamHandlers.addTo(handlers);
    KeyHandlers.addTo(handlers, whenCleared);
    ScriptHandlers.addTo(handlers, scripts);
    ServerHandlers.addTo(handlers, new ServerInfo(server, scripts, size), backups, shutdown);
    runner = new CommandRunner(server, handlers);
    sessions = new Sessions(runner, scripts);
    setParameters();
    sweep = server.databases().raw() ? null : new Sweep(server);
  }

  private void setParameters() {
    Parameters parameters = server.parameters();
    Listeners listeners = server.listeners();
    SizeLimit sizeLimit = server.sizeLimit();
    OutputLimits limits = server.clients().outputLimits();
    parameters.fixed("proto-max-bulk-len", Integer.toString(server.clients().maxString()));
    parameters.fixed("databases", server.databases().has(1) ? "16" : "1");
    parameters.fixed("dir", System.getProperty("user.dir", ""));
    parameters.live("durability", () -> server.store().durability().word(), _ -> {});
    parameters.live("notify-keyspace-events", listeners::flags, listeners::flags);
    parameters.live(
        "slowlog-log-slower-than",
        () -> Long.toString(server.slowLog().thresholdMicros()),
        value -> server.slowLog().thresholdMicros(Long.parseLong(value)));
    parameters.live(
        "slowlog-max-len",
        () -> Long.toString(server.slowLog().max()),
        value -> server.slowLog().max(Long.parseLong(value)));
    parameters.live(
        "acllog-max-len",
        () -> Long.toString(server.access().log().max()),
        value -> server.access().log().max(Long.parseLong(value)));
    parameters.live(
        "tracking-table-max-keys",
        () -> Long.toString(listeners.tracking().max()),
        value -> listeners.tracking().max(Long.parseLong(value)));
    parameters.live(
        "busy-reply-threshold",
        () -> Long.toString(scripts.threshold()),
        value -> scripts.threshold(Long.parseLong(value)));
    parameters.live(OutputLimits.PARAMETER, limits::text, limits::text);
    String fsync = "appendfsync";
    parameters.live(
        fsync,
        () -> isSyncedAlways() ? "always" : parameters.remembered(fsync),
        value -> {
          parameters.fixed(fsync, value);
          server.executor().syncAlways(value.equals("always"));
        });
    String replicas = "min-replicas-to-write";
    parameters.live(
        replicas,
        () -> parameters.remembered(replicas),
        value -> {
          parameters.fixed(replicas, value);
          requireReplicas();
        });
    String lag = "min-replicas-max-lag";
    parameters.live(
        lag,
        () -> parameters.remembered(lag),
        value -> {
          parameters.fixed(lag, value);
          requireReplicas();
        });
    parameters.live("requirepass", server.access()::password, server.access()::password);
    parameters.live(
        "maxmemory",
        () -> Long.toUnsignedString(sizeLimit.max()),
        value -> sizeLimit.limit(Long.parseUnsignedLong(value), sizeLimit.policy()));
    parameters.live(
        "maxmemory-policy", sizeLimit::policy, value -> sizeLimit.limit(sizeLimit.max(), value));
  }

  /**
   * Gives a parameter of CONFIG an effect outside.
   *
   * @param name in Redis
   * @param setter receives values that Redis would accept
   */
  void parameter(String name, Supplier<String> value, Consumer<String> setter) {
    server.parameters().live(name, value, setter);
  }

  /**
   * Sets a parameter of CONFIG that clients cannot change.
   *
   * @param name in Redis
   */
  void fixed(String name, String value) {
    server.parameters().fixed(name, value);
  }

  /**
   * Sets limits.
   *
   * @param memory bytes of requests and replies of all clients
   * @param maxString bytes of a string
   */
  void limit(long memory, int maxString) {
    server.clients().budget().max(memory);
    server.clients().maxString(maxString);
    server.parameters().fixed("proto-max-bulk-len", Integer.toString(maxString));
  }

  /**
   * Sends keyspace notifications.
   *
   * @param letters which notifications, as for CONFIG SET notify-keyspace-events
   * @throws BadArgumentException if one is unknown
   */
  void notifications(String letters) {
    server.listeners().flags(flags(letters));
  }

  /**
   * Makes sure that {@link #notifications} would accept letters.
   *
   * @throws BadArgumentException if it would not
   */
  static void checkNotifications(String letters) {
    flags(letters);
  }

  private static String flags(String letters) {
    try {
      return KeyEvents.flags(Bytes.of(letters));
    } catch (ReplyException e) {
      throw new BadArgumentException(
          "notify = \"" + letters + "\": use letters of KEAg$lshzxn, such as KEA", e);
    }
  }

  private boolean isSyncedAlways() {
    return server.executor().syncsAlways() || server.store().durability() == Durability.POWER;
  }

  /** There are no replicas: where some are required, nothing can be written. */
  private void requireReplicas() {
    Parameters parameters = server.parameters();
    runner.requireReplicas(
        !parameters.remembered("min-replicas-to-write").equals("0")
            && !parameters.remembered("min-replicas-max-lag").equals("0"));
  }

  /** Sets the port that clients connect to. */
  void listensOn(int number) {
    server.parameters().fixed("port", Integer.toString(number));
  }

  /** What its connections share. */
  Sessions sessions() {
    return sessions;
  }

  /** The size that the databases are kept below. */
  SizeLimit sizeLimit() {
    return server.sizeLimit();
  }

  /** Ends the connections of some users. */
  void disconnect(Set<String> users) {
    server.clients().disconnect(users);
  }

  /** Tells what it has counted. */
  void tell(Figures figures) {
    new RedisFigures(server).accept(figures);
  }

  /**
   * Somebody else writes a key of a plain table: a transaction that watches it must not be
   * executed. During the turn to write.
   */
  void touched(String table, byte[] key) {
    int number = server.databases().number(table);
    Database database = number < 0 ? null : server.databases().present(number);
    if (database != null) {
      database.touched(key);
    }
  }

  /** Ends background work; must be called before the executor is closed. */
  @Override
  public void close() {
    scripts.close();
    server.background().close();
    if (sweep != null) {
      sweep.close();
    }
  }
}
