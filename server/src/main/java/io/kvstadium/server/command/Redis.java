package io.kvstadium.server.command;

import io.kvstadium.server.access.Access;
import io.kvstadium.server.access.AccessLog;
import io.kvstadium.server.access.Denial;
import io.kvstadium.server.access.Users;
import io.kvstadium.server.backup.KeptBackups;
import io.kvstadium.server.command.Client.Replies;
import io.kvstadium.server.command.Command.Flag;
import io.kvstadium.server.command.keys.Cursors;
import io.kvstadium.server.command.server.ClientLine;
import io.kvstadium.server.command.server.RedisFigures;
import io.kvstadium.server.database.Database;
import io.kvstadium.server.database.Databases;
import io.kvstadium.server.database.Eviction;
import io.kvstadium.server.database.Eviction.Policy;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.database.Sweep;
import io.kvstadium.server.execute.Chore;
import io.kvstadium.server.execute.CommitGroup;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.figures.CommandCounts;
import io.kvstadium.server.figures.Figures;
import io.kvstadium.server.figures.SlowLog;
import io.kvstadium.server.figures.Statistics;
import io.kvstadium.server.figures.StoreSize;
import io.kvstadium.server.log.Log;
import io.kvstadium.server.notify.Channels;
import io.kvstadium.server.notify.KeyEvents;
import io.kvstadium.server.notify.Listeners;
import io.kvstadium.server.notify.Monitors;
import io.kvstadium.server.notify.Tracking;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.server.protocol.Request;
import io.kvstadium.server.scripts.Scripts;
import io.kvstadium.server.session.LoopQueue;
import io.kvstadium.server.session.Pause;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.FullException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.netty.channel.EventLoop;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The commands over one store: what all connections share. Safe for all threads. */
public final class Redis implements AutoCloseable {
  /** Characters of an unknown command's name, and of its arguments, that its error shows. */
  private static final int SHOWN = 128;

  private final Executor executor;
  private final Databases databases;
  private final InstantSource clock;
  private final Commands commands;
  private final Map<Long, Connected> clients = new ConcurrentHashMap<>();
  private final Map<EventLoop, LoopQueue> loops = new ConcurrentHashMap<>();
  private final Consumer<RuntimeException> reporter;
  private final Log log;
  private final Access access;
  private final KeptBackups backups;
  private final Budget budget;
  private volatile int longest;
  private final Parameters parameters = new Parameters();
  private final Channels channels = new Channels();
  private final Listeners listeners;
  private final Monitors monitors = new Monitors();
  private final Statistics statistics = new Statistics();
  private final CommandCounts counts;
  private final Pause pause;
  private final Scripts scripts = new Scripts();
  private final Cursors cursors = new Cursors();
  private final AccessLog accessLog;
  private final SlowLog slowLog = new SlowLog();
  private final LongAdder executed = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final long started;
  private volatile long saved;
  private volatile long savedChanges;
  private final StoreSize storeSize;
  private final OutputLimits outputLimits;
  private volatile boolean replicasRequired;
  private volatile Runnable whenCleared = () -> {};
  private volatile long bound;
  private volatile Policy policy = Policy.NOEVICTION;
  private volatile int port;
  private final Runnable shutdown;
  private final @Nullable Sweep sweep;

  /** Has no thread until there is something to wait for. */
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1,
          Thread.ofPlatform().name("stadium-timer").daemon().factory(),
          new ThreadPoolExecutor.DiscardPolicy()); // the end comes anyway

  /** A connected client, and how to cut it off. */
  public record Connected(Client client, Runnable close) {}

  /**
   * The commands over a store.
   *
   * @param raw whether databases are plain tables
   * @param users who may do what
   * @param backups of the store
   * @param budget the memory of requests and replies
   * @param longest bytes of a string
   * @param reporter receives failures of the store
   * @param log receives what clients do that an operator should know
   * @param shutdown ends the server, when a client asks for it; returns at once
   */
  public Redis(
      Executor executor,
      boolean raw,
      Users users,
      KeptBackups backups,
      Budget budget,
      int longest,
      InstantSource clock,
      Consumer<RuntimeException> reporter,
      Log log,
      Runnable shutdown) {
    this.log = log;
    this.executor = executor;
    this.clock = clock;
    this.access = users.access();
    this.commands = users.commands();
    this.accessLog = new AccessLog(clock);
    this.counts = new CommandCounts(commands.withSubcommands());
    this.pause = new Pause(this::after);
    this.backups = backups;
    this.reporter = reporter;
    this.shutdown = shutdown;
    this.databases = new Databases(executor.store(), raw, false, this::missed);
    this.listeners = new Listeners(channels, clients, databases::listened);
    timer.setRemoveOnCancelPolicy(true);
    this.started = clock.millis();
    this.saved = started;
    this.budget = budget;
    this.longest = longest;
    this.storeSize = new StoreSize(executor.store(), task -> inBackground(_ -> task.run()));
    this.outputLimits = new OutputLimits(parameters.get(OutputLimits.PARAMETER));
    setParameters();
    this.sweep = databases.raw() ? null : new Sweep(this, executor, reporter);
  }

  private void setParameters() {
    parameters.fixed("proto-max-bulk-len", Integer.toString(longest));
    parameters.fixed("databases", databases.has(1) ? "16" : "1");
    parameters.fixed("dir", System.getProperty("user.dir", ""));
    parameters.live("durability", () -> store().durability().word(), _ -> {});
    parameters.live("notify-keyspace-events", listeners::flags, listeners::flags);
    parameters.live(
        "slowlog-log-slower-than",
        () -> Long.toString(slowLog.thresholdMicros()),
        value -> slowLog.thresholdMicros(Long.parseLong(value)));
    parameters.live(
        "slowlog-max-len",
        () -> Long.toString(slowLog.max()),
        value -> slowLog.max(Long.parseLong(value)));
    parameters.live(
        "acllog-max-len",
        () -> Long.toString(accessLog.max()),
        value -> accessLog.max(Long.parseLong(value)));
    parameters.live(
        "tracking-table-max-keys",
        () -> Long.toString(tracking().max()),
        value -> tracking().max(Long.parseLong(value)));
    parameters.live(
        "busy-reply-threshold",
        () -> Long.toString(scripts.threshold()),
        value -> scripts.threshold(Long.parseLong(value)));
    parameters.live(OutputLimits.PARAMETER, outputLimits::text, outputLimits::text);
    String fsync = "appendfsync";
    parameters.live(
        fsync,
        () -> isSyncedAlways() ? "always" : parameters.remembered(fsync),
        value -> {
          parameters.fixed(fsync, value);
          executor.syncAlways(value.equals("always"));
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
    parameters.live("requirepass", access::password, access::password);
    parameters.live(
        "maxmemory",
        () -> Long.toUnsignedString(bound),
        value -> bound(Long.parseUnsignedLong(value), policy.word()));
    parameters.live("maxmemory-policy", () -> policy.word(), value -> bound(bound, value));
  }

  /**
   * Gives a parameter of CONFIG an effect outside.
   *
   * @param name in Redis
   * @param setter receives values that Redis would accept
   */
  public void parameter(String name, Supplier<String> value, Consumer<String> setter) {
    parameters.live(name, value, setter);
  }

  /**
   * Sets a parameter of CONFIG that clients cannot change.
   *
   * @param name in Redis
   */
  public void fixed(String name, String value) {
    parameters.fixed(name, value);
  }

  /**
   * Sets limits.
   *
   * @param memory bytes of requests and replies of all clients
   * @param longestString bytes of a string
   */
  public void limit(long memory, int longestString) {
    budget.max(memory);
    longest = longestString;
    parameters.fixed("proto-max-bulk-len", Integer.toString(longestString));
  }

  /**
   * Makes sure that {@link #bound} would accept its parameters.
   *
   * @throws BadArgumentException if it would not
   */
  public static void checkBound(long bytes, String eviction, boolean raw) {
    Policy wanted = Policy.of(eviction);
    if (bytes != 0 && raw) {
      throw new BadArgumentException(
          "a bound on the size (--max-size, max_size) is for databases, but --raw serves plain tables:"
              + " leave one of them out");
    }
    if (bytes == 0 && wanted != Policy.NOEVICTION) {
      throw new BadArgumentException(
          "eviction " + eviction + " without a size to keep: give --max-size (max_size) too");
    }
  }

  /**
   * Keeps the databases below a size from now on. What they have is counted first, unless it was.
   *
   * @param bytes unsigned; 0 for any size
   * @param eviction what gives way, in Redis' words
   */
  public synchronized void bound(long bytes, String eviction) {
    Policy wanted = Policy.of(eviction);
    if (bytes != 0 && databases.raw()) {
      throw ReplyException.error("this server serves plain tables (--raw), without a bound");
    }
    bound = bytes;
    policy = wanted;
    long max = bytes < 0 ? Long.MAX_VALUE : bytes;
    Eviction next = bytes == 0 ? null : new Eviction(databases, max, wanted, statistics);
    Chore change =
        new Chore() {
          @Override
          public void execute(CommitGroup commitGroup) {
            databases.keep(next);
          }

          @Override
          public boolean isLong() {
            return true;
          }

          @Override
          public void failed(RuntimeException cause) {
            report(cause);
          }
        };
    if (executor.writesAtOnce(1)) {
      executor.writeNow(change);
    } else {
      executor.write(change);
    }
  }

  /** The size that the databases are kept below, as an unsigned number; 0 for any. */
  public long bound() {
    return bound;
  }

  /**
   * Makes room for what adds to the databases, if their size is bounded. What was executed before
   * can no longer be undone.
   *
   * @param bytes roughly what is added
   * @throws ReplyException if there is nothing left to remove
   */
  public void makeRoom(Databases.View view, long bytes) {
    Eviction eviction = databases.eviction();
    if (eviction == null || !eviction.isOver(view, bytes)) {
      return;
    }
    view.savepoint();
    boolean some = eviction.shrink(view, bytes);
    listeners.removed(view);
    view.savepoint();
    if (!some) {
      throw new ReplyException(Eviction.REFUSAL);
    }
  }

  /** Removes what is over the bound, for nobody; returns whether there is more. */
  public boolean shrink(Databases.View view) {
    Eviction eviction = databases.eviction();
    if (eviction == null || !eviction.isOver(view, 0)) {
      return false;
    }
    boolean some = eviction.shrink(view, 0);
    listeners.removed(view);
    return some && eviction.isOver(view, 0);
  }

  /** Ends the connections of some users. */
  public void disconnect(Set<String> users) {
    for (Connected each : clients.values()) {
      String user = each.client().user;
      if (user != null && users.contains(user)) {
        each.close().run();
      }
    }
  }

  /** The parameters of CONFIG. */
  public Parameters parameters() {
    return parameters;
  }

  /**
   * Sends keyspace notifications.
   *
   * @param letters which notifications, as for CONFIG SET notify-keyspace-events
   * @throws BadArgumentException if one is unknown
   */
  public void notifications(String letters) {
    listeners.flags(flags(letters));
  }

  /**
   * Makes sure that {@link #notifications} would accept letters.
   *
   * @throws BadArgumentException if it would not
   */
  public static void checkNotifications(String letters) {
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

  /** Reports to an operator what a client has done. */
  public Log log() {
    return log;
  }

  public Executor executor() {
    return executor;
  }

  public Store store() {
    return executor.store();
  }

  /** How many bytes the store took on disk when somebody asked last. */
  public long storeBytes() {
    return storeSize.bytes();
  }

  /** How much of clients' output may wait. */
  public OutputLimits outputLimits() {
    return outputLimits;
  }

  /** A client is ended because so many bytes wait to be sent to it. */
  public void outputLimitReached(Client client, long bytes) {
    log.event(
        "cut-off",
        "client %s closed for overcoming of output buffer limits: %d bytes waited for it to read them (client-output-buffer-limit)"
            .formatted(ClientLine.of(this, client), bytes),
        "address",
        client.address(),
        "bytes",
        bytes);
  }

  private boolean isSyncedAlways() {
    return executor.syncsAlways() || store().durability() == Durability.POWER;
  }

  /** There are no replicas: where some are required, nothing can be written. */
  private void requireReplicas() {
    replicasRequired =
        !parameters.remembered("min-replicas-to-write").equals("0")
            && !parameters.remembered("min-replicas-max-lag").equals("0");
  }

  private void checkReplicas(Command command) {
    if (replicasRequired && command.is(Flag.WRITE)) {
      throw new ReplyException("NOREPLICAS Not enough good replicas to write.");
    }
  }

  /** Sets what is to run when databases were cleared. */
  public void whenCleared(Runnable task) {
    whenCleared = task;
  }

  /** Databases were cleared. */
  public void cleared() {
    whenCleared.run();
  }

  public Databases databases() {
    return databases;
  }

  public Scripts scripts() {
    return scripts;
  }

  public Cursors cursors() {
    return cursors;
  }

  public AccessLog accessLog() {
    return accessLog;
  }

  public SlowLog slowLog() {
    return slowLog;
  }

  private void missed() {
    listeners.missed();
  }

  public Listeners listeners() {
    return listeners;
  }

  public Tracking tracking() {
    return listeners.tracking();
  }

  /** Sets the port that clients connect to. */
  public void listensOn(int number) {
    port = number;
    parameters.fixed("port", Integer.toString(number));
  }

  /** The port, or 0 without one. */
  public int port() {
    return port;
  }

  /** The server's counters. */
  public Statistics statistics() {
    return statistics;
  }

  /** The counters of each command. */
  public CommandCounts counts() {
    return counts;
  }

  public Monitors monitors() {
    return monitors;
  }

  public Pause pause() {
    return pause;
  }

  public Channels channels() {
    return channels;
  }

  /** The longest string in bytes. */
  public int longest() {
    return longest;
  }

  public KeptBackups backups() {
    return backups;
  }

  public Budget budget() {
    return budget;
  }

  public Access access() {
    return access;
  }

  public Commands commands() {
    return commands;
  }

  public InstantSource clock() {
    return clock;
  }

  public Map<Long, Connected> clients() {
    return clients;
  }

  public long executed() {
    return executed.sum();
  }

  public long errors() {
    return errors.sum();
  }

  /** Tells what it has counted. */
  public void tell(Figures figures) {
    new RedisFigures(this).accept(figures);
  }

  public void resetStatistics() {
    executed.reset();
    errors.reset();
    statistics.reset();
    counts.reset();
  }

  /** Makes everything written before survive a power cut. */
  public void save() {
    long changes = databases.changes();
    store().sync();
    savedChanges = changes;
    saved = clock.millis();
  }

  /** How often keys have changed since {@link #save}, whatever the store's durability. */
  public long unsavedChanges() {
    return databases.changes() - savedChanges;
  }

  /** When {@link #save} was called last, or otherwise when the server started. */
  public long lastSaved() {
    return saved;
  }

  /** Runs a short task after a time. */
  Future<?> after(long millis, Runnable task) {
    return timer.schedule(task, millis, TimeUnit.MILLISECONDS);
  }

  /** Runs a task that nobody waits for, concurrently with the requests. */
  public void inBackground(Consumer<CommitGroup> task) {
    executor.read(
        new Chore() {
          @Override
          public void execute(CommitGroup commitGroup) {
            try {
              task.accept(commitGroup);
            } catch (RuntimeException e) { // must not fail what others read
              report(e);
            }
          }

          @Override
          public boolean isLong() {
            return true;
          }
        });
  }

  public long started() {
    return started;
  }

  /**
   * Somebody else writes a key of a plain table: a transaction that watches it must not be
   * executed. During the turn to write.
   */
  public void touched(String table, byte[] key) {
    int number = databases.number(table);
    Database database = number < 0 ? null : databases.present(number);
    if (database != null) {
      database.touched(key);
    }
  }

  /** The exchange with an event loop. */
  public LoopQueue loop(EventLoop loop) {
    return loops.computeIfAbsent(loop, own -> new LoopQueue(own, executor));
  }

  /** A connection has ended: what it had begun is forgotten. */
  public void gone(Client client) {
    channels.leaveAll(client);
    monitors.remove(client);
    tracking().end(client);
    if (!client.watched().isEmpty()) {
      executor.write(
          new Chore() {
            @Override
            public void execute(CommitGroup commitGroup) {
              client.unwatch();
            }
          });
    }
  }

  public void shutDown() {
    shutdown.run();
  }

  public void report(RuntimeException failure) {
    reporter.accept(failure);
  }

  public Databases.View view(CommitGroup commitGroup) {
    return commitGroup.state(() -> new Databases.View(databases, commitGroup));
  }

  /** Names the keys whose content a request will read, not only what is before a string. */
  public void prefetch(Client client, Request request, Databases.View view) {
    Command command = request.command();
    byte[][] words = request.words();
    if (command != null
        && command.first() > 0
        && !command.is(Flag.NUMBERED)
        && !command.is(Flag.HEAD)) {
      int end =
          command.last() < 0
              ? words.length + command.last()
              : Math.min(command.last(), words.length - 1);
      Keyspace keys = view.keyspace(client.database);
      boolean overwrites = command.overwrites(words.length);
      for (int i = command.first(), key = 0; i <= end; i += command.step(), key++) {
        if (!KeyUse.of(command, words, key).readsContent()) {
          continue;
        }
        if (overwrites) {
          keys.announceOverwritten(words[i]);
        } else {
          keys.prefetch(words[i]);
        }
      }
    }
  }

  /**
   * Executes a request and writes its reply.
   *
   * @param view {@code null} for requests that need no store
   */
  public void execute(
      Client client, Request request, Databases.@Nullable View view, ReplyWriter reply) {
    int mark = reply.mark();
    if (client.replies == Replies.SKIP) {
      client.replies = Replies.SKIPPING;
    }
    boolean messages = false;
    executed.increment();
    try {
      Command command = known(request);
      client.ran(command);
      checkAccess(client, command, request.words(), client.inMulti() ? "multi" : "toplevel");
      checkReplicas(command);
      messages = command.is(Flag.PUSHES);
      if (client.queue != null && !command.is(Flag.AT_ONCE)) {
        messages = false;
        putOff(client, command, request);
        reply.simple("QUEUED");
      } else {
        if (client.subscriptions > 0 && !reply.isResp3()) {
          requireSubscriber(command);
        }
        run(new Call(this, client, command, request.words(), view, reply));
        if (view != null && (command.is(Flag.WRITE) || command.is(Flag.TURN))) {
          databases.blockedClients().serve(view);
        }
      }
    } catch (ReplyException e) {
      messages = false;
      if (request.command() != null) {
        counts.rejected(request.command());
      }
      fail(reply, mark, refused(client, request, e.text()));
    }
    if (client.caching != null
        && client.queue == null
        && !client.lastCommand.startsWith("client|")) {
      client.caching = null; // it was for this request
    }
    Replies now = client.replies;
    if ((now == Replies.NONE || now == Replies.SKIPPING) && !messages) {
      reply.reset(mark);
    }
    if (now == Replies.SKIPPING) {
      client.replies = Replies.ALL;
    }
  }

  /**
   * Makes sure that a client may send a request, and logs it if it may not.
   *
   * @param context where it is sent: multi, lua or toplevel
   */
  public void checkAccess(Client client, Command command, byte[][] request, String context) {
    try {
      access.check(client, command, request);
    } catch (Denial denial) {
      accessLog.add(
          denial.reason().word(),
          context,
          denial.object(),
          String.valueOf(client.user),
          ClientLine.of(this, client));
      throw denial;
    }
  }

  /** The error of a request that was not started: it breaks a block, and EXEC itself ends one. */
  private static String refused(Client client, Request request, String text) {
    Command command = request.command();
    if (command != null && command.name().equals("exec")) {
      client.endMulti();
      client.unwatch();
      return "EXECABORT Transaction discarded because of: " + text.replaceFirst("^ERR ", "");
    }
    if (client.queue != null) {
      client.queueBroken = true;
    }
    return text;
  }

  private void fail(ReplyWriter reply, int mark, String text) {
    failed(text);
    reply.reset(mark);
    reply.error(text);
  }

  /** An error was answered. */
  public void failed(String text) {
    errors.increment();
    statistics.failed(text);
  }

  /** Answers a request that was not started. */
  public void rejected(@Nullable Command command, ReplyWriter reply, String text) {
    if (command != null) {
      counts.rejected(command);
    }
    fail(reply, reply.mark(), text);
  }

  private static Command known(Request request) {
    Command command = request.command();
    String refusal = request.refusal();
    if (refusal != null) {
      throw new ReplyException(refusal);
    }
    if (command == null) {
      throw ReplyException.error("%s", unknown(request.words()));
    }
    if (!command.fits(request.words().length)) {
      throw ReplyException.arity(command.name());
    }
    if (!command.subcommands().isEmpty() && request.words().length > 1) {
      throw Commands.unknown(command, request.words()[1]);
    }
    return command;
  }

  /** Makes sure that a subscriber in RESP2 may send a request. */
  private static void requireSubscriber(Command command) {
    if (!command.is(Flag.SUBSCRIBER)) {
      throw ReplyException.error(
          "Can't execute '%s': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are"
              + " allowed in this context",
          command.name());
    }
  }

  private static String unknown(byte[][] request) {
    StringBuilder words = new StringBuilder();
    for (int i = 1; i < request.length && words.length() < SHOWN; i++) {
      String word = shortened(request[i], SHOWN - words.length());
      words.append('\'').append(word).append("' ");
    }
    return "unknown command '%s', with args beginning with: %s"
        .formatted(shortened(request[0], SHOWN), words);
  }

  private static String shortened(byte[] word, int max) {
    return Bytes.start(word, max);
  }

  private static void putOff(Client client, Command command, Request request) {
    if (command.is(Flag.NO_MULTI)) {
      throw ReplyException.error("Command not allowed inside a transaction");
    }
    List<Request> queue = client.queue;
    if (queue != null) {
      queue.add(request);
      long before = client.queuedBytes;
      client.queuedBytes = before + request.bytes();
    }
  }

  /** Runs a command; what it wrote is undone if it fails. */
  public void run(Call call) {
    boolean script = call.command().is(Flag.SCRIPT);
    if (script) { // shown before its commands
      monitors.show(call);
    }
    run(call, call.command().handler());
    if (!script) {
      monitors.show(call);
    }
  }

  /** Remembers the keys of a request for a client that caches what it read. */
  public void track(Call call) {
    Client.Tracked tracked = call.client().tracked;
    if (tracked != null) {
      tracking().read(call.client(), tracked, call.command().keyWords(call.request()));
    }
  }

  /** Runs a command with another handler. */
  public void run(Call call, Command.Handler handler) {
    Command command = call.command();
    Databases.View view = call.hasView() ? call.view() : null;
    int mark = call.reply().mark();
    BlockedClient waited = call.client().blockedClient;
    boolean writes = command.is(Flag.WRITE);
    boolean reads = command.is(Flag.READONLY);
    long begin = view == null ? System.nanoTime() : view.clock();
    long hits = 0;
    long misses = 0;
    if (view != null) {
      hits = view.looks().hits;
      misses = view.looks().misses;
      if (writes) {
        view.savepoint();
      }
    }
    try {
      checkReplicas(command);
      if (writes && !command.is(Flag.REMOVES)) {
        call.view().commitGroup().requireSpace(bytes(call.request()), begin);
      }
      if (command.is(Flag.DENYOOM)
          && call.mayWait()) { // else for the whole block, or script, before
        makeRoom(call.view(), bytes(call.request()));
      }
      handler.run(call);
      if (view != null && writes) {
        listeners.executed(call);
      }
      if (view != null && reads) {
        statistics.looked(view.looks().hits - hits, view.looks().misses - misses);
      }
      if (reads && !call.isInScript() && !command.is(Flag.SCRIPT)) {
        track(call);
      }
    } catch (ReplyException e) {
      if (e.counted()) {
        counts.failed(command);
        call.reply().reset(mark);
        call.reply().error(e.text());
      } else {
        abandon(view, call, mark, e.text());
      }
    } catch (FullException e) {
      abandon(view, call, mark, "MISCONF " + e.getMessage());
    } catch (StadiumException e) {
      abandon(view, call, mark, "ERR " + e.getMessage());
    } catch (OutOfMemoryError e) { // for what it requested
      report(new IllegalStateException("no memory for " + command.name(), e));
      abandon(view, call, mark, "ERR out of memory");
    } catch (RuntimeException e) { // a bug in the server, which must not fail other requests
      report(e);
      abandon(view, call, mark, "ERR internal error: " + e);
    }
    long end = System.nanoTime();
    if (view != null) {
      view.clock(end);
    }
    if (Objects.equals(call.client().blockedClient, waited)) { // else it counts once it is served
      counts.executed(command, end - begin);
      slowLog.executed(end - begin, call);
    }
  }

  public static long bytes(byte[][] words) {
    long bytes = 0;
    for (byte[] word : words) {
      bytes += word.length;
    }
    return bytes;
  }

  private void abandon(Databases.@Nullable View view, Call call, int mark, String text) {
    if (view != null && call.command().is(Flag.WRITE)) {
      view.rollback();
    }
    counts.failed(call.command());
    fail(call.reply(), mark, text);
  }

  /** Ends background work; must be called before the executor is closed. */
  @Override
  public void close() {
    scripts.close();
    timer.shutdownNow();
    if (sweep != null) {
      sweep.close();
    }
  }
}
