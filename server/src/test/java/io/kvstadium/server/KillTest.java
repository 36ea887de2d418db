package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A server that is killed under load: what was acknowledged is there after the restart. */
@Tag("full")
class KillTest {
  private static final int WRITERS = 4;

  /** Acknowledged writes of each writer before the kill. */
  private static final int ENOUGH = 150;

  @TempDir Path directory;

  /** Serves the store of a URL, prints the port, and runs until it is killed. */
  static final class Main {
    private Main() {}

    public static void main(String[] args) throws InterruptedException {
      try (Store store = Stadium.open(args[0]);
          Server server =
              Server.start(
                  store,
                  ServerOptions.DEFAULT.redisPort(0).httpPort(-1),
                  line -> System.err.println(line))) {
        System.out.println(server.redisPort());
        server.awaitShutdown();
      }
    }
  }

  static Stream<String> stores() {
    return Stream.of("rocksdb", "lmdb")
        .flatMap(engine ->
            Stream.of("process", "consistent", "power")
                .map(level -> engine + ":%s?durability=" + level));
  }

  @ParameterizedTest
  @MethodSource("stores")
  void nothingThatWasAcknowledgedIsMissing(String form) throws Exception {
    String url = form.formatted(directory.resolve("store"));
    Process victim = start(url);
    List<Writer> writers = new ArrayList<>();
    try {
      int port = port(victim);
      CountDownLatch enough = new CountDownLatch(WRITERS);
      for (int i = 0; i < WRITERS; i++) {
        writers.add(new Writer(i, port, enough));
      }
      List<Thread> threads = writers.stream().map(Thread::new).toList();
      threads.forEach(Thread::start);
      enough.await();

      victim.destroyForcibly().waitFor(); // SIGKILL, in the middle of what is written

      for (Thread thread : threads) {
        thread.join();
      }
    } finally {
      victim.destroyForcibly();
    }

    try (Store store = Stadium.open(url);
        Server server =
            Server.start(store, ServerOptions.DEFAULT.redisPort(0).httpPort(-1), _ -> {});
        RespClient client = RespClient.connect(server.redisPort())) {
      long keys = 0;
      for (Writer writer : writers) {
        Object counted = client.reply("get", writer.counter()).value();
        long counter = Long.parseLong(String.valueOf(counted));
        // the one that was under way may be there or not, but never half of it
        assertThat(counter).isBetween((long) writer.acknowledged, writer.acknowledged + 1L);
        for (int i = 1; i <= counter; i++) {
          assertThat(client.reply("get", writer.key(i)).value()).isEqualTo("value " + i);
        }
        assertThat(client.reply("exists", writer.key((int) counter + 1)).value()).isEqualTo(0L);
        keys += counter + 1;
      }
      assertThat(client.reply("dbsize").value()).isEqualTo(keys);
    }
  }

  private static Process start(String url) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            url));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static int port(Process process) throws IOException {
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    String line = lines.readLine();
    assertThat(line).as("the server's port").isNotNull();
    return Integer.parseInt(line);
  }

  /** Writes pairs of a counter and an entry, each in a block, until the connection is gone. */
  private static final class Writer implements Runnable {
    private final int number;
    private final int port;
    private final CountDownLatch enough;
    private int acknowledged;

    Writer(int number, int port, CountDownLatch enough) {
      this.number = number;
      this.port = port;
      this.enough = enough;
    }

    String counter() {
      return "counter" + number;
    }

    String key(int i) {
      return "key" + number + ":" + i;
    }

    @Override
    public void run() {
      try (RespClient client = RespClient.connect(port)) {
        while (true) {
          int next = acknowledged + 1;
          client.send("multi");
          client.send("incr", counter());
          client.send("set", key(next), "value " + next);
          client.send("exec");
          client.read();
          client.read();
          client.read();
          assertThat(client.read().raw()).isEqualTo("*2\r\n:" + next + "\r\n+OK\r\n");
          acknowledged = next;
          if (next == ENOUGH) {
            enough.countDown();
          }
        }
      } catch (UncheckedIOException e) {
        // killed
      } finally {
        if (acknowledged < ENOUGH) {
          enough.countDown(); // lets the test fail rather than wait
        }
      }
    }
  }
}
