package io.kvstadium.cli;

import io.kvstadium.server.Server;
import io.kvstadium.server.ServerOptions;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stadium serve}: a store behind the Redis protocol and HTTP. */
@Command(
    name = "serve",
    description = {
      "Serves a store by the Redis protocol, to every language that has a Redis client, and by"
          + " HTTP: RocksServer's protocol and a JSON one.",
      "Ends on SIGTERM or Ctrl-C: what was acknowledged is in the store."
    })
final class ServeCommand implements Callable<Integer> {
  private static final int MAX_PORT = 65_535;

  @Mixin private Installed installed;

  @Parameters(paramLabel = "URL", description = "Of the store, such as rocksdb:data/app.")
  private String url;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description = "The address to listen on (default: ${DEFAULT-VALUE}, this machine only).",
      defaultValue = "127.0.0.1")
  private String bind;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Of the Redis protocol; 0 for any that is free (default: ${DEFAULT-VALUE}).",
      defaultValue = "6379")
  private int port;

  @Option(names = "--no-redis", description = "Without the Redis protocol.")
  private boolean noRedis;

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      description = "Of HTTP; 0 for any that is free (default: ${DEFAULT-VALUE}).",
      defaultValue = "5577")
  private int httpPort;

  @Option(names = "--no-http", description = "Without HTTP.")
  private boolean noHttp;

  @Option(
      names = "--raw",
      description =
          "Databases are plain tables, as the library writes them: without expiry and"
              + " collections.")
  private boolean raw;

  @SuppressWarnings("NullAway.Init") // picocli sets what is annotated
  ServeCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    if (noRedis && noHttp) {
      throw new BadArgumentException("--no-redis and --no-http: nothing would be served");
    }
    ServerOptions defaults = ServerOptions.DEFAULT;
    ServerOptions options =
        new ServerOptions(
            bind,
            noRedis ? -1 : checked("--port", port),
            noHttp ? -1 : checked("--http-port", httpPort),
            raw,
            null,
            defaults.readers(),
            defaults.memory());
    CountDownLatch ended = new CountDownLatch(1);
    try {
      serve(options, ended);
    } finally {
      ended.countDown();
    }
    return 0;
  }

  private static int checked(String option, int port) {
    if (port < 0 || port > MAX_PORT) {
      throw new BadArgumentException(option + " " + port + ": give 0 to " + MAX_PORT);
    }
    return port;
  }

  /**
   * Serves until a client or a signal asks for the end.
   *
   * @param ended what the end of the JVM waits for
   */
  private void serve(ServerOptions options, CountDownLatch ended) throws InterruptedException {
    try (Store store = installed.engines().open(url, OpenOptions.DEFAULT);
        Server server = Server.start(store, options, ServeCommand::log)) {
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
      String redis = noRedis ? "" : "redis on " + bind + ":" + server.redisPort() + ", ";
      String http = noHttp ? "" : "http on " + bind + ":" + server.httpPort() + ", ";
      System.out.println("ready: " + redis + http + store.url());
      server.awaitShutdown();
      log("ending: answers what has arrived, and closes the store");
    }
  }

  private static void log(String line) {
    System.err.println("stadium: " + line);
  }
}
