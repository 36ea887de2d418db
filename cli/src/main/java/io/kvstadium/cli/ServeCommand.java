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

/** {@code stadium serve}: a store behind the Redis protocol. */
@Command(
    name = "serve",
    description = {
      "Serves a store by the Redis protocol, to every language that has a Redis client.",
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
    if (port < 0 || port > MAX_PORT) {
      throw new BadArgumentException("--port " + port + ": give 0 to " + MAX_PORT);
    }
    ServerOptions defaults = ServerOptions.DEFAULT;
    ServerOptions options =
        new ServerOptions(bind, port, raw, null, defaults.readers(), defaults.memory());
    CountDownLatch ended = new CountDownLatch(1);
    try {
      serve(options, ended);
    } finally {
      ended.countDown();
    }
    return 0;
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
      System.out.println("ready: redis on " + bind + ":" + server.redisPort() + ", " + store.url());
      server.awaitShutdown();
      log("ending: answers what has arrived, and closes the store");
    }
  }

  private static void log(String line) {
    System.err.println("stadium: " + line);
  }
}
