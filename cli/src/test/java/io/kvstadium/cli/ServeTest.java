package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.cli.Cli.Run;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
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
    assertThat(ended.out()).matches("ready: redis on .*, http on 127.0.0.1:\\d+, rocksdb:data\\R");
    assertThat(ended.err())
        .isEqualTo("stadium: ending: answering pending requests, then closing the store\n");
    Cli.Started second = cli.start("serve", "rocksdb:data", "--port", "0", "--no-http");
    assertThat(request(second, "INCR a", "SHUTDOWN")).isEqualTo(":3 null");
    assertThat(second.end().exit()).isZero();
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
  void aWrongFileIsRefusedWithItsLine() throws IOException {
    Path file = directory.resolve("server.toml");
    Files.writeString(file, "url = \"memory:\"\n[limits]\nidel = \"5m\"\n");

    Run run = new Cli(directory).run("serve", "--check-config", "server.toml");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("stadium: server.toml:3: [limits] does not know 'idel' (did you mean 'idle'?)");
    Files.writeString(file, "url = \"memory:\"\n");
    assertThat(new Cli(directory).run("serve", "--check-config", "server.toml"))
        .isEqualTo(new Run(0, "server.toml is valid.\n", ""));
  }

  @Test
  void saysWhatIsMissing() {
    Run run = new Cli(directory).run("serve");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).startsWith("stadium: what should be served? Give the URL of a store");
    assertThat(new Cli(directory).run("serve", "memory:", "--no-redis", "--no-http").err())
        .isEqualTo("stadium: --no-redis and --no-http: nothing would be served\n");
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
