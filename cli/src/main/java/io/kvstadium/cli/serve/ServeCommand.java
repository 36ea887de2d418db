package io.kvstadium.cli.serve;

import io.kvstadium.bench.text.Units;
import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.io.FirstSentences;
import io.kvstadium.cli.io.Quantities;
import io.kvstadium.cli.io.Version;
import io.kvstadium.server.Server;
import io.kvstadium.server.ServerOptions;
import io.kvstadium.server.ServerOptions.Addresses;
import io.kvstadium.server.ServerOptions.Bound;
import io.kvstadium.server.ServerOptions.Limits;
import io.kvstadium.server.ServerOptions.Security;
import io.kvstadium.server.backup.BackupOptions;
import io.kvstadium.server.log.Log;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreUrl;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stadium serve}: serves a store over the Redis protocol and HTTP. */
@Command(
    name = "serve",
    description = {
      FirstSentences.SERVE,
      "Ends on SIGTERM or Ctrl-C; acknowledged writes are then in the store. SIGHUP reads the"
          + " certificates, users and limits again."
    })
public final class ServeCommand implements Callable<Integer> {
  private static final int MAX_PORT = 65_535;
  private static final String PASSWORD = "STADIUM_PASSWORD";

  @Mixin private Installed installed;

  @Parameters(
      paramLabel = "URL",
      arity = "0..1",
      description =
          "URL of the store, such as rocksdb:data/app (default: that of the --config file).")
  private @Nullable String url;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description = "The address to listen on (default: 127.0.0.1, this machine only).")
  private @Nullable String bind;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port of the Redis protocol; 0 for any free one (default: 6379).")
  private @Nullable Integer port;

  @Option(names = "--no-redis", description = "Without the Redis protocol.")
  private boolean noRedis;

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      description = "Port of HTTP; 0 for any free one (default: 5577).")
  private @Nullable Integer httpPort;

  @Option(names = "--no-http", description = "Without HTTP.")
  private boolean noHttp;

  @Option(
      names = "--rocksserver",
      description = "HTTP speaks RocksServer's protocol, too, on the table default.")
  private boolean rocksServer;

  @Option(
      names = "--raw",
      description =
          "Databases are plain tables, as the library writes them: without expiry and"
              + " collections.")
  private boolean raw;

  @Option(
      names = "--backup-dir",
      paramLabel = "DIR",
      description = "Where to put backups that clients ask for (default: none are made).")
  private @Nullable Path backups;

  @Option(
      names = "--move-to",
      paramLabel = "URL",
      description =
          "Moves the store there while it is served, as move_to in its URL; see stadium move.")
  private @Nullable String moveTo;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description =
          "A file with the password of the default user (default: $STADIUM_PASSWORD, or none: then"
              + " only this machine's clients are let in).")
  private @Nullable Path passwordFile;

  @Option(
      names = "--max-clients",
      paramLabel = "N",
      description = "Connections of each protocol at once (default: 10000).")
  private @Nullable Integer maxClients;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description =
          "Of this, a quarter (1g at most) is for requests and replies, and the rest for the engine,"
              + " as memory=SIZE in its URL. The heap is limited by STADIUM_JAVA_OPTS.")
  private @Nullable String memory;

  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      description =
          "The most bytes of keys and values in the databases, such as 2g (default: no limit).")
  private @Nullable String maxSize;

  @Option(
      names = "--eviction",
      paramLabel = "POLICY",
      description =
          "What gives way at --max-size, in the words of Redis' maxmemory-policy, such as"
              + " allkeys-lru (default: noeviction, writes are refused).")
  private @Nullable String eviction;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A TOML file with all of this, passwords, users, TLS and limits; options given here take"
              + " precedence.")
  private @Nullable Path config;

  @Option(
      names = "--check-config",
      paramLabel = "FILE",
      description =
          "Only checks whether such a file, with the options given here, is valid: its store's URL,"
              + " certificates, users and the rest.")
  private @Nullable Path checked;

  private volatile boolean stopping;

  @Override
  public Integer call() throws InterruptedException {
    Path path = checked != null ? checked : config;
    ServerFile file = path == null ? ServerFile.NONE : ServerFile.read(path);
    Engines engines = installed.engines();
    String store = url == null ? file.url(engines) : url;
    ServerOptions options = options(file);
    if (memory != null) {
      store = within(memory, engines, store, options.limits().memory());
    }
    if (moveTo != null && store != null) {
      engines.check(moveTo);
      store = StoreUrl.parse(store).with("move_to", moveTo).toString();
    }
    if (checked != null) {
      if (url != null && store != null) {
        engines.check(store);
      }
      Server.check(options);
      System.out.println(checked + " is valid.");
      return 0;
    }
    if (store == null) {
      throw new BadArgumentException(
          "what should be served? Give the URL of a store, such as rocksdb:data/app, or a file that"
              + " has url = \"…\" with --config");
    }
    store = withoutTransactions(engines, store);
    Addresses again = options.addresses();
    while (again != null) { // a store that must be opened again has to be closed first
      again = serve(engines, store, options.addresses(again));
    }
    return 0;
  }

  /** The store's URL with what requests and replies leave of the memory. */
  private static @Nullable String within(
      String memory, Engines engines, @Nullable String store, long clients) {
    StoreUrl parsed = store == null ? null : StoreUrl.parse(store);
    if (parsed == null) {
      return null;
    }
    String given = parsed.options().get("memory");
    if (given != null) {
      throw new BadArgumentException(
          "--memory %s and memory=%s in the URL of the store: leave one of them out"
              .formatted(memory, given));
    }
    long engine = Quantities.size("--memory", memory) - clients;
    try {
      String divided = parsed.with("memory", Long.toString(Math.max(0, engine))).toString();
      engines.check(divided);
      return divided;
    } catch (BadArgumentException e) {
      throw new BadArgumentException(
          "--memory %s: %s are for requests and replies, and the rest is the engine's: %s"
              .formatted(memory, Units.bytes(clients), e.getMessage()),
          e);
    }
  }

  /**
   * The store's URL without transactions, unless it asks for them: the server executes one write
   * after the other by itself.
   */
  private static String withoutTransactions(Engines engines, String store) {
    StoreUrl url = StoreUrl.parse(store);
    return engines.engine(url.engine()).info().withDefault(url, "transactions", "none").toString();
  }

  /** The file's options, overridden by those of the command line. */
  private ServerOptions options(ServerFile read) {
    ServerOptions file = read.options();
    Addresses own = file.addresses();
    Addresses addresses =
        new Addresses(
            bind == null ? own.bind() : bind,
            noRedis ? -1 : port == null ? own.redisPort() : checked("--port", port),
            noHttp ? -1 : httpPort == null ? own.httpPort() : checked("--http-port", httpPort),
            own.unixSocket(),
            own.unixMode(),
            own.healthPort());
    if (addresses.redisPort() < 0 && addresses.httpPort() < 0 && addresses.unixSocket() == null) {
      throw new BadArgumentException("--no-redis and --no-http: nothing would be served");
    }
    String protocol = rocksServer ? ServerFile.ROCKSSERVER : file.httpProtocol();
    if (protocol != null && addresses.httpPort() < 0) {
      throw new BadArgumentException(
          "--rocksserver is a protocol of HTTP: leave out --no-http (in a file: rocksserver and"
              + " no_http)");
    }
    if (maxClients != null && maxClients < 1) {
      throw new BadArgumentException("--max-clients " + maxClients + ": give at least 1");
    }
    BackupOptions kept = file.backups();
    String password = password();
    return file.addresses(addresses)
        .raw(raw || file.raw())
        .httpProtocol(protocol)
        .security(
            password == null
                ? file.security()
                : new Security(password, file.security().users(), file.security().tls()))
        .limits(limits(file.limits()))
        .backups(backups == null ? kept : new BackupOptions(backups, kept.keep(), kept.maxRate()));
  }

  private Limits limits(Limits file) {
    Limits clients = maxClients == null ? file : file.connections(maxClients);
    Limits limits =
        memory == null
            ? clients
            : clients.memory(Math.min(1L << 30, Quantities.size("--memory", memory) / 4));
    Bound own = file.bound();
    return limits.bound(
        new Bound(
            maxSize == null ? own.bytes() : Quantities.size("--max-size", maxSize),
            eviction == null ? own.eviction() : eviction));
  }

  /** Not an option of its own, as every user of the machine could read it there. */
  private @Nullable String password() {
    if (passwordFile != null) {
      return ServerFile.password("--password-file", passwordFile);
    }
    String given = System.getenv(PASSWORD);
    if (given != null && given.isEmpty()) {
      throw new BadArgumentException(
          "the environment variable " + PASSWORD + " is empty: set a password, or unset it");
    }
    return given;
  }

  private static int checked(String option, int port) {
    if (port < 0 || port > MAX_PORT) {
      throw new BadArgumentException(option + " " + port + ": give 0 to " + MAX_PORT);
    }
    return port;
  }

  /**
   * Serves until a client or a signal asks it to stop, or the store must be opened again.
   *
   * @return where to go on serving, or {@code null} to stop
   */
  private @Nullable Addresses serve(Engines engines, String what, ServerOptions options)
      throws InterruptedException {
    Consumer<String> lines = line -> System.err.println(line);
    Log log = new Log(options.reporting().log(), InstantSource.system(), lines);
    // what comes before the server runs waits for it
    CompletableFuture<Server> running = new CompletableFuture<>();
    for (String signal : List.of("TERM", "INT")) {
      Signals.register(
          signal,
          () -> {
            stopping = true;
            var _ = running.thenAccept(Server::shutDown);
          });
    }
    Signals.register(
        "HUP",
        () -> {
          var _ = running.thenAccept(server -> reload(server, options, log));
        });
    Thread rehearsal =
        Thread.ofPlatform().name("stadium-rehearsal").start(() -> rehearse(engines, log));
    Addresses again = null;
    try (Store store = engines.open(what, OpenOptions.DEFAULT);
        Server server = Server.start(store, options, lines)) {
      rehearsal.join();
      String places = places(server, options.addresses());
      System.out.println("ready: " + places + store.url());
      if (options.reporting().log() != Log.Form.TEXT) {
        log.event("ready", places + store.url(), "version", Version.number());
      }
      String manager = System.getenv("NOTIFY_SOCKET");
      if (manager != null && !manager.isEmpty()) {
        server.tellReady(manager);
      }
      running.complete(server);
      if (stopping) { // by a signal that came between two of them
        server.shutDown();
      }
      server.awaitShutdown();
      if (server.mustReopen() && !stopping) {
        log.event("reopening", "opening the store again, since its disk has room now");
        again =
            new Addresses(
                options.addresses().bind(),
                server.redisPort(),
                server.httpPort(),
                options.addresses().unixSocket(),
                options.addresses().unixMode(),
                server.healthPort());
      } else {
        log.event("ending", "ending: answering pending requests, then closing the store");
      }
    } catch (StadiumException e) {
      if (again == null) {
        throw e;
      }
      log.event("failure", String.valueOf(e.getMessage())); // of a store that had stopped
    }
    return again;
  }

  /** While the store is opened, which takes as long. */
  private static void rehearse(Engines engines, Log log) {
    try {
      Rehearsal.run(engines);
    } catch (IOException | RuntimeException e) {
      log.event(
          "rehearsal-failed", "the first answers may be slower, since a rehearsal failed: " + e);
    }
  }

  /** Reads the files again; if something in them is wrong, everything stays as it is. */
  private void reload(Server server, ServerOptions started, Log log) {
    try {
      ServerOptions read = options(config == null ? ServerFile.NONE : ServerFile.read(config));
      server.reload(read);
      boolean more = !started.security(read.security()).limits(read.limits()).equals(read);
      log.event(
          "reloaded",
          "reloaded certificates, users and limits"
              + (more ? "; the other changes need a restart" : ""));
    } catch (RuntimeException e) {
      log.event("reload-failed", "SIGHUP changed nothing: " + e.getMessage());
    }
  }

  private static String places(Server server, Addresses addresses) {
    StringBuilder places = new StringBuilder();
    String bind = addresses.bind() + ":";
    if (server.redisPort() >= 0) {
      places.append("redis on ").append(bind).append(server.redisPort()).append(", ");
    }
    if (addresses.unixSocket() != null) {
      places.append("redis on ").append(addresses.unixSocket()).append(", ");
    }
    if (server.httpPort() >= 0) {
      places.append("http on ").append(bind).append(server.httpPort()).append(", ");
    }
    return places.toString();
  }
}
