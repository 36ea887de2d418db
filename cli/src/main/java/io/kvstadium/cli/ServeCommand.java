package io.kvstadium.cli;

import io.kvstadium.server.Server;
import io.kvstadium.server.ServerOptions;
import io.kvstadium.server.ServerOptions.Addresses;
import io.kvstadium.server.ServerOptions.KeepBackups;
import io.kvstadium.server.log.Log;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stadium serve}: serves a store over the Redis protocol and HTTP. */
@Command(
    name = "serve",
    description = {
      "Serves a store over the Redis protocol, for every language that has a Redis client, and over"
          + " HTTP: RocksServer's protocol and a JSON one.",
      "Ends on SIGTERM or Ctrl-C; acknowledged writes are then in the store."
    })
final class ServeCommand implements Callable<Integer> {
  private static final int MAX_PORT = 65_535;

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
      names = "--config",
      paramLabel = "FILE",
      description =
          "A TOML file with all of this, passwords, users, TLS and limits; options given here take"
              + " precedence.")
  private @Nullable Path config;

  @Option(
      names = "--check-config",
      paramLabel = "FILE",
      description = "Only checks whether such a file is valid.")
  private @Nullable Path checked;

  @SuppressWarnings("NullAway.Init") // picocli sets what is annotated
  ServeCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    if (checked != null) {
      Server.check(ServerFile.read(checked).options());
      System.out.println(checked + " is valid.");
      return 0;
    }
    ServerFile file = config == null ? ServerFile.NONE : ServerFile.read(config);
    String store = url == null ? file.url() : url;
    if (store == null) {
      throw new BadArgumentException(
          "what should be served? Give the URL of a store, such as rocksdb:data/app, or a file that"
              + " has url = \"…\" with --config");
    }
    CountDownLatch ended = new CountDownLatch(1);
    try {
      serve(store, options(file.options()), ended);
    } finally {
      ended.countDown();
    }
    return 0;
  }

  /** The file's options, overridden by those of the command line. */
  private ServerOptions options(ServerOptions file) {
    Addresses own = file.addresses();
    Addresses addresses =
        new Addresses(
            bind == null ? own.bind() : bind,
            noRedis ? -1 : port == null ? own.redisPort() : checked("--port", port),
            noHttp ? -1 : httpPort == null ? own.httpPort() : checked("--http-port", httpPort),
            own.unixSocket());
    if (addresses.redisPort() < 0 && addresses.httpPort() < 0 && addresses.unixSocket() == null) {
      throw new BadArgumentException("--no-redis and --no-http: nothing would be served");
    }
    KeepBackups kept = file.backups();
    return file.addresses(addresses)
        .raw(raw || file.raw())
        .backups(backups == null ? kept : new KeepBackups(backups, kept.keep(), kept.how()));
  }

  private static int checked(String option, int port) {
    if (port < 0 || port > MAX_PORT) {
      throw new BadArgumentException(option + " " + port + ": give 0 to " + MAX_PORT);
    }
    return port;
  }

  /**
   * Serves until a client or a signal asks it to stop.
   *
   * @param ended what the JVM's shutdown waits for
   */
  private void serve(String what, ServerOptions options, CountDownLatch ended)
      throws InterruptedException {
    Log log =
        new Log(options.reporting().log(), InstantSource.system(), line -> say(options, line));
    try (Store store = installed.engines().open(what, OpenOptions.DEFAULT);
        Server server = Server.start(store, options, line -> say(options, line))) {
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    server.shutDown();
                    try {
                      ended.await();
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt(); // nobody does
                    }
                  },
                  "stadium-end"));
      String places = places(server, options.addresses());
      System.out.println("ready: " + places + store.url());
      if (options.reporting().log() != Log.Form.TEXT) {
        log.event("ready", places + store.url(), "version", Version.number());
      }
      server.awaitShutdown();
      log.event("ending", "ending: answering pending requests, then closing the store");
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

  private static void say(ServerOptions options, String line) {
    boolean text = options.reporting().log() == Log.Form.TEXT;
    System.err.println(text ? "stadium: " + line : line);
  }
}
