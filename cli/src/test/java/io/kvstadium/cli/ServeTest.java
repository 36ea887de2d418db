package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.kvstadium.cli.Cli.Run;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The command that serves, as a process. */
class ServeTest {
  private static final Pattern PORT = Pattern.compile("redis on 127\\.0\\.0\\.1:(\\d+),");

  @TempDir Path directory;

  @Test
  void servesUntilItIsToldToEndAndFindsItsDataAgain() throws IOException {
    Cli cli = new Cli(directory);
    Cli.Started first = cli.start("serve", "rocksdb:data", "--port", "0", "--http-port", "0");
    assertThat(request(first, "SET a 1", "INCR a")).isEqualTo("+OK :2");

    first.process().destroy(); // SIGTERM

    Run ended = first.end();
    assertThat(ended.out())
        .matches("ready: redis on .*, http on 127.0.0.1:\\d+, rocksdb:data\\?transactions=none\\R");
    assertThat(ended.err())
        .matches("20\\S+Z ending: answering pending requests, then closing the store\\R");
    assertThat(ended.exit()).isZero();
    Cli.Started second =
        cli.start("serve", "rocksdb:data", "--port", "0", "--no-http", "--memory", "256m");
    assertThat(request(second, "INCR a", "SHUTDOWN")).isEqualTo(":3 null");
    assertThat(second.end())
        .satisfies(end -> assertThat(end.exit()).isZero())
        .satisfies(end -> assertThat(end.out()).contains("rocksdb:data?", "memory=201326592"));
  }

  @Test
  void memoryThatIsGivenTwiceOrTooLittleIsRefused() {
    Cli cli = new Cli(directory);

    Run twice = cli.run("serve", "rocksdb:data?memory=1g", "--memory", "1g");
    Run little = cli.run("serve", "rocksdb:data", "--memory", "100m");

    assertThat(twice.exit()).isEqualTo(2);
    assertThat(twice.err()).contains("--memory 1g and memory=1g", "leave one of them out");
    assertThat(little.exit()).isEqualTo(2);
    assertThat(little.err()).contains("--memory 100m", "requests and replies", "128m");
    assertThat(directory.resolve("data")).doesNotExist();
  }

  @Test
  void takesFromAFileWhatIsNotGiven() throws IOException {
    Files.writeString(
        directory.resolve("server.toml"),
        """
        url = "memory:"
        port = 1
        no_http = true
        password = "secret"
        [[user]]
        name = "reader"
        rules = "on >pw ~in:* +@read"
        """);

    Cli.Started server =
        new Cli(directory).start("serve", "--config", "server.toml", "--port", "0");

    assertThat(request(server, "GET in:a", "AUTH reader pw", "GET in:a", "GET out:a"))
        .isEqualTo(
            "-NOAUTH Authentication required. +OK $-1 -NOPERM this user has no permissions to access one of the keys used as arguments");
    server.process().destroy();
    server.end();
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void readsItsFileAgainOnSighupAndKeepsWhatItHasIfThatIsWrong() throws Exception {
    Path secret = directory.resolve("conf/secret");
    Path file = directory.resolve("conf/server.toml");
    Files.createDirectory(secret.getParent());
    Files.writeString(secret, "one\n");
    Files.writeString(
        file, "url = \"rocksdb:data\"\nport = 0\nno_http = true\npassword_file = \"secret\"\n");
    Cli.Started server = new Cli(directory).start("serve", "--config", "conf/server.toml");
    assertThat(request(server, "AUTH one", "AUTH two"))
        .isEqualTo("+OK -WRONGPASS invalid username-password pair or user is disabled.");
    assertThat(directory.resolve("conf/data")).isDirectory();

    Files.writeString(secret, "");
    hangUp(server, "is empty");
    assertThat(request(server, "AUTH one")).isEqualTo("+OK");
    Files.writeString(secret, "two");
    hangUp(server, "reloaded");

    assertThat(request(server, "AUTH one", "AUTH two"))
        .isEqualTo("-WRONGPASS invalid username-password pair or user is disabled. +OK");
    server.process().destroy();
    assertThat(server.end().exit()).isZero();
  }

  private static void hangUp(Cli.Started server, String said) throws Exception {
    String pid = Long.toString(server.process().pid());
    assertThat(new ProcessBuilder("kill", "-HUP", pid).start().waitFor()).isZero();
    server.awaitError(said);
  }

  @Test
  void takesThePasswordFromAFileAndTheNumberOfClientsFromAnOption() throws IOException {
    Files.writeString(directory.resolve("secret"), "pw\n");

    Cli.Started server =
        new Cli(directory)
            .start(
                "serve",
                "memory:",
                "--port",
                "0",
                "--no-http",
                "--password-file",
                "secret",
                "--max-clients",
                "7");

    assertThat(request(server, "PING", "AUTH pw", "CONFIG GET maxclients"))
        .isEqualTo("-NOAUTH Authentication required. +OK *2");
    server.process().destroy();
    server.end();
  }

  private static boolean isDone(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
  }

  /** Needs the right to mount a file system. */
  @Tag("ci")
  @Test
  @Timeout(120)
  void aStoreThatStoppedOnAFullDiskIsOpenedAgainOnceThereIsRoom()
      throws IOException, InterruptedException {
    Path disk = Files.createDirectory(directory.resolve("disk"));
    assumeThat(
            "root".equals(System.getProperty("user.name"))
                && isDone("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk.toString()))
        .isTrue();
    Cli.Started server =
        new Cli(directory).start("serve", "rocksdb:disk/data", "--port", "0", "--no-http");
    try {
      String longName = "k".repeat(50_000);
      String[] sets = new String[300];
      for (int i = 0; i < sets.length; i++) {
        sets[i] = "SET " + longName + i + " v";
      }
      assertThat(request(server, sets)).doesNotContain("-");
      Path filler = disk.resolve("filler");
      byte[] block = new byte[4096];
      try (OutputStream out = Files.newOutputStream(filler)) {
        while (true) {
          out.write(block);
        }
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("space");
      }
      int removed = 0;
      while (removed < 300 && request(server, "DEL " + longName + removed).equals(":1")) {
        removed++;
      }
      assertThat(removed).isLessThan(300); // it has stopped

      Files.delete(filler);

      String answer;
      do {
        answer = unlessClosed(server, "SET new v");
      } while (!answer.equals("+OK"));
      assertThat(request(server, "DBSIZE", "EXISTS " + longName + 299)).endsWith(" :1");
    } finally {
      server.process().destroy();
      server.end();
      isDone("umount", disk.toString());
    }
  }

  /** The reply, or nothing while nobody listens. */
  private static String unlessClosed(Cli.Started server, String line) {
    try {
      return request(server, line);
    } catch (IOException e) {
      return "";
    }
  }

  /** The first lines of the replies to lines of words, on one connection. */
  private static String request(Cli.Started server, String... lines) throws IOException {
    Matcher port = PORT.matcher(server.awaitOutput("ready: "));
    assertThat(port.find()).isTrue();
    StringBuilder replies = new StringBuilder();
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1)))) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      for (String line : lines) {
        socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
        replies.append(replies.isEmpty() ? "" : " ").append(in.readLine());
      }
    }
    return replies.toString();
  }
}
