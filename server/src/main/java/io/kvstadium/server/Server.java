package io.kvstadium.server;

import io.kvstadium.server.ServerOptions.Addresses;
import io.kvstadium.server.access.Users;
import io.kvstadium.server.backup.ServedBackups;
import io.kvstadium.server.client.Budget;
import io.kvstadium.server.command.SizeLimit;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.figures.Prometheus;
import io.kvstadium.server.figures.StoreFigures;
import io.kvstadium.server.http.Exchange;
import io.kvstadium.server.http.Http;
import io.kvstadium.server.http.HttpLimits;
import io.kvstadium.server.http.HttpProtocol;
import io.kvstadium.server.http.v1.Version1;
import io.kvstadium.server.log.Log;
import io.kvstadium.server.session.Connection;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ClosedException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.StoreStatus;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store that is being served. {@link #close} takes no more requests, answers those that have
 * arrived, and leaves the store open: it belongs to its opener. Safe for all threads.
 */
public final class Server implements AutoCloseable {

  private final Executor executor;
  private final EventLoopGroup loops;
  private final ListeningSockets sockets;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final CountDownLatch ending = new CountDownLatch(1);
  private final Users users;
  private final AcceptHandler acceptHandler;
  private final Log log;
  private final Prometheus prometheus = new Prometheus();
  private final MemoryRelief relief = new MemoryRelief();
  private @Nullable Redis redis;
  private @Nullable Http http;
  private volatile int redisPort = -1;
  private volatile int httpPort = -1;
  private volatile int healthPort = -1;
  private volatile boolean closed;
  private volatile boolean stuck;

  /**
   * Starts serving. Nobody else may write to the store meanwhile: the server keeps in memory what
   * it read.
   *
   * @param lines receives what an operator should know, a line for each event
   * @throws StoreIoException if a port cannot be listened on
   */
  public static Server start(Store store, ServerOptions options, Consumer<String> lines) {
    checkBound(options);
    Log log = new Log(options.reporting().log(), InstantSource.system(), lines);
    SslContext tls = Encryption.of(options.security().tls());
    Server server = new Server(store, options, users(options), tls, log);
    try {
      server.listen(options);
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /**
   * Makes sure that options are valid, without serving anything.
   *
   * @throws BadArgumentException if a file is missing, a user's rule is wrong, or it would listen
   *     to other machines, whose clients it must not let in
   */
  public static void check(ServerOptions options) {
    Encryption.of(options.security().tls());
    Redis.checkNotifications(options.reporting().notifications());
    checkBound(options);
    var _ = HttpProtocol.spoken(options.httpProtocol());
    String bind = options.addresses().bind();
    boolean listens = options.addresses().redisPort() >= 0 || options.addresses().httpPort() >= 0;
    if (users(options).isOpen() && listens && !ListeningSockets.isLoopback(bind)) {
      throw new BadArgumentException(
          "bind = \""
              + bind
              + "\" without a password: clients of other machines would be refused; set"
              + " password_file, or bind = \"127.0.0.1\"");
    }
  }

  private static void checkBound(ServerOptions options) {
    ServerOptions.Bound bound = options.limits().bound();
    SizeLimit.check(bound.bytes(), bound.eviction(), options.raw());
  }

  private static Users users(ServerOptions options) {
    Users users = new Users(options.security().password());
    options.security().users().forEach(each -> users.set(each.name(), each.rules()));
    return users;
  }

  private Server(
      Store store, ServerOptions options, Users users, @Nullable SslContext tls, Log log) {
    this.users = users;
    this.log = log;
    acceptHandler = new AcceptHandler(options.limits(), tls, users, log, connections);
    executor = new Executor(store, options.readers(), InstantSource.system());
    IoHandlerFactory handlers =
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    // One loop was faster than two on two cores; it only parses requests and sends replies.
    int count = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    loops = new MultiThreadIoEventLoopGroup(count, handlers);
    sockets = new ListeningSockets(loops);
  }

  private void listen(ServerOptions options) {
    Addresses addresses = options.addresses();
    var _ = loops.next().scheduleWithFixedDelay(this::watch, 1, 1, TimeUnit.SECONDS);
    relief.start();
    ServedBackups backups = new ServedBackups(executor.store(), options.backups());
    prometheus.add(new StoreFigures(executor));
    if (addresses.redisPort() >= 0 || addresses.unixSocket() != null) {
      Redis commands =
          new Redis(
              executor,
              options.raw(),
              users,
              backups,
              new Budget(options.limits().memory(), log),
              options.limits().maxArgumentBytes(),
              InstantSource.system(),
              this::report,
              log,
              relief::cleared,
              ending::countDown);
      redis = commands;
      prometheus.add(commands::tell);
      setParameters(commands, addresses);
      commands.notifications(options.reporting().notifications());
      bound(commands, options);
      if (addresses.redisPort() >= 0) {
        redisPort =
            sockets.listen(
                addresses.bind(),
                addresses.redisPort(),
                "--port",
                channel -> acceptHandler.enter(channel, commands.sessions()));
        commands.listensOn(redisPort);
      }
      Path socket = addresses.unixSocket();
      if (socket != null) {
        sockets.listen(
            socket,
            addresses.unixMode(),
            channel -> acceptHandler.enterPlain(channel, commands.sessions()));
      }
    }
    if (addresses.httpPort() >= 0) {
      Redis watched = options.raw() ? redis : null;
      BiConsumer<String, byte[]> written =
          (table, key) -> {
            if (watched != null) {
              watched.touched(table, key);
            }
          };
      HttpLimits httpLimits = limits(options.limits());
      Map<String, Consumer<Exchange>> further = new HashMap<>();
      HttpProtocol.spoken(options.httpProtocol())
          .forEach(each -> further.putAll(each.routes(executor, backups, httpLimits, written)));
      Http web =
          new Http(
              executor,
              this::login,
              httpLimits,
              this::report,
              new Version1(executor, options.raw(), backups, httpLimits, prometheus, written),
              further);
      http = web;
      prometheus.add(web::tell);
      httpPort =
          sockets.listen(
              addresses.bind(),
              addresses.httpPort(),
              "--http-port",
              channel -> acceptHandler.enter(channel, web));
    }
    if (addresses.healthPort() >= 0) { // last: whoever is told that it is ready finds all ports
      healthPort =
          sockets.listen(
              addresses.bind(),
              addresses.healthPort(),
              "health_port",
              channel -> HealthPort.enter(channel, executor));
    }
  }

  private void setParameters(Redis commands, Addresses addresses) {
    Path socket = addresses.unixSocket();
    commands.fixed("bind", addresses.bind());
    commands.fixed("unixsocket", socket == null ? "" : socket.toString());
    commands.fixed("unixsocketperm", Integer.toOctalString(addresses.unixMode()));
    commands.parameter(
        "maxclients",
        () -> Integer.toString(acceptHandler.limits().connections()),
        value ->
            limit(
                acceptHandler
                    .limits()
                    .connections((int) Math.min(Long.parseLong(value), Integer.MAX_VALUE))));
    commands.parameter(
        "timeout",
        () -> Long.toString(acceptHandler.limits().idle().toSeconds()),
        value -> limit(acceptHandler.limits().idle(Duration.ofSeconds(Long.parseLong(value)))));
  }

  private static void bound(Redis commands, ServerOptions options) {
    ServerOptions.Bound bound = options.limits().bound();
    commands.sizeLimit().limit(bound.bytes(), bound.eviction());
  }

  private void limit(ServerOptions.Limits changed) {
    acceptHandler.limits(changed);
    if (redis != null) {
      redis.limit(changed.memory(), changed.maxArgumentBytes());
    }
    if (http != null) {
      http.limit(limits(changed));
    }
  }

  /**
   * Replaces certificates, users and limits, for all connections to come. Clients whose user is
   * gone or has other rights are disconnected. Nothing else can change while the server runs.
   *
   * @throws BadArgumentException if an option is wrong; then nothing has changed
   */
  public synchronized void reload(ServerOptions options) {
    SslContext tls = Encryption.of(options.security().tls());
    checkBound(options);
    Set<String> changed = users.replace(users(options));
    acceptHandler.tls(tls);
    limit(options.limits());
    if (redis != null) {
      bound(redis, options);
      redis.disconnect(changed);
    }
  }

  private Users.@Nullable Known login(@Nullable String name, byte[] password, Channel from) {
    Users.Known user = users.login(name, password);
    if (user == null && name != null) {
      Users.refused(log, Connection.address(from), name);
    }
    return user;
  }

  private static HttpLimits limits(ServerOptions.Limits of) {
    HttpLimits usual = HttpLimits.DEFAULT;
    return new HttpLimits(
        usual.target(),
        usual.headers(),
        (int) Math.min(usual.body(), of.memory()),
        of.memory(),
        (int) Math.min(usual.reply(), of.memory()),
        usual.scan(),
        usual.scans(),
        of.connections(),
        of.idle().isZero() ? usual.idle() : of.idle());
  }

  private void report(RuntimeException failure) {
    if (closed && failure instanceof ClosedException) {
      return; // what had not begun is refused: as it should be
    }
    log.event(
        "failure",
        String.valueOf(failure.getMessage()),
        "type",
        failure.getClass().getSimpleName());
  }

  /** The port of the Redis protocol, or -1. */
  public int redisPort() {
    return redisPort;
  }

  /** The port of HTTP, or -1. */
  public int httpPort() {
    return httpPort;
  }

  /** The port for health checks, or -1. */
  public int healthPort() {
    return healthPort;
  }

  /**
   * Tells the service manager that the server serves.
   *
   * @param socket what is in the environment variable NOTIFY_SOCKET
   */
  public void tellReady(String socket) {
    Throwable failure = ServiceManager.ready(loops, socket);
    if (failure != null) {
      report(
          new StoreIoException(
              "cannot tell the service manager at " + socket + " (NOTIFY_SOCKET): " + failure,
              failure));
    }
  }

  /** Asks for a shutdown, as a client does; returns at once. */
  public void shutDown() {
    ending.countDown();
  }

  /** Waits until somebody asks for a shutdown. */
  public void awaitShutdown() throws InterruptedException {
    ending.await();
  }

  /**
   * Whether the server asked for its shutdown itself: the store has refused all writes since its
   * disk was full, and could go on by now if it was closed and opened again.
   */
  public boolean mustReopen() {
    return stuck;
  }

  private void watch() {
    StoreStatus status = executor.store().status();
    if (status.state() == StoreStatus.State.FAILED
        && status.failure() instanceof FullException
        && executor.reserve().isEnough()) {
      stuck = true;
      shutDown();
    }
  }

  /** Ends it; what was acknowledged is in the store. A second call does nothing. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    relief.close();
    prometheus.close();
    sockets.close();
    if (http != null) {
      http.drain(Duration.ofSeconds(5));
    }
    if (redis != null) {
      redis.close();
    }
    executor.close(); // answers what was handed over
    connections.close().awaitUninterruptibly(5, TimeUnit.SECONDS);
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
