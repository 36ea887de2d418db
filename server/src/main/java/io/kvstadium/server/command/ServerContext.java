package io.kvstadium.server.command;

import io.kvstadium.server.access.Access;
import io.kvstadium.server.access.Users;
import io.kvstadium.server.client.Budget;
import io.kvstadium.server.client.Clients;
import io.kvstadium.server.client.OutputLimits;
import io.kvstadium.server.database.Databases;
import io.kvstadium.server.execute.CommitGroup;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.figures.CommandCounts;
import io.kvstadium.server.figures.SlowLog;
import io.kvstadium.server.figures.Statistics;
import io.kvstadium.server.log.Log;
import io.kvstadium.server.notify.Listeners;
import io.kvstadium.server.protocol.CommandTable;
import io.kvstadium.store.Store;
import java.time.InstantSource;
import java.util.function.Consumer;

/** What the commands of all connections share: the services, no behaviour. Safe for all threads. */
public final class ServerContext {
  private final Executor executor;
  private final InstantSource clock;
  private final Log log;
  private final Consumer<RuntimeException> reporter;
  private final CommandTable commands;
  private final Access access;
  private final Background background;
  private final BlockedClients blockedClients = new BlockedClients();
  private final Databases databases;
  private final Parameters parameters = new Parameters();
  private final Clients clients;
  private final Listeners listeners;
  private final Statistics statistics;
  private final CommandCounts counts;
  private final SlowLog slowLog = new SlowLog();
  private final SizeLimit sizeLimit;
  private final SaveState saves;

  /**
   * The services over a store.
   *
   * @param raw whether databases are plain tables
   * @param users who may do what
   * @param budget the memory of requests and replies
   * @param maxString bytes of a string
   * @param reporter receives failures of the store
   * @param log receives what clients do that an operator should know
   */
  public ServerContext(
      Executor executor,
      boolean raw,
      Users users,
      Budget budget,
      int maxString,
      InstantSource clock,
      Consumer<RuntimeException> reporter,
      Log log) {
    this.executor = executor;
    this.clock = clock;
    this.log = log;
    this.reporter = reporter;
    this.commands = users.commands();
    this.access = users.access();
    this.background = new Background(executor, reporter);
    this.databases = new Databases(executor.store(), raw, false, blockedClients, this::missed);
    this.clients =
        new Clients(
            budget,
            parameters.get(OutputLimits.PARAMETER),
            maxString,
            background::after,
            clock,
            log);
    this.listeners = new Listeners(clients, databases::listened);
    this.statistics = new Statistics(clock.millis());
    this.counts = new CommandCounts(commands.withSubcommands());
    this.sizeLimit = new SizeLimit(executor, databases, listeners, statistics, reporter);
    this.saves = new SaveState(executor.store(), databases, clock);
  }

  private void missed() {
    listeners.missed();
  }

  public Executor executor() {
    return executor;
  }

  public Store store() {
    return executor.store();
  }

  public InstantSource clock() {
    return clock;
  }

  /** Reports to an operator what a client has done. */
  public Log log() {
    return log;
  }

  /** Reports a failure of the store, or of the server itself. */
  public void report(RuntimeException failure) {
    reporter.accept(failure);
  }

  /** The table of commands. */
  public CommandTable commands() {
    return commands;
  }

  public Access access() {
    return access;
  }

  public Background background() {
    return background;
  }

  /** The requests that wait for keys. Belongs to the thread that has the turn to write. */
  public BlockedClients blockedClients() {
    return blockedClients;
  }

  public Databases databases() {
    return databases;
  }

  /** The databases as a commit group sees them. */
  public Databases.View view(CommitGroup commitGroup) {
    return commitGroup.state(() -> new Databases.View(databases, commitGroup));
  }

  /** The parameters of CONFIG. */
  public Parameters parameters() {
    return parameters;
  }

  public Clients clients() {
    return clients;
  }

  public Listeners listeners() {
    return listeners;
  }

  public Statistics statistics() {
    return statistics;
  }

  /** The counters of each command. */
  public CommandCounts counts() {
    return counts;
  }

  public SlowLog slowLog() {
    return slowLog;
  }

  public SizeLimit sizeLimit() {
    return sizeLimit;
  }

  public SaveState saves() {
    return saves;
  }
}
