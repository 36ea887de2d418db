package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.cli.Cli.Run;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands in the README work as they are printed there, on its own example's data. They only
 * get ports that are free, and what makes them short: a benchmark is planned and not run, a torture
 * has one round.
 */
class ReadmeCommandsTest {
  private static final Pattern BLOCK = Pattern.compile("```sh\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("'([^']*)'|[^\\s']+");
  private static final Pattern PORTS =
      Pattern.compile("redis on 127\\.0\\.0\\.1:(\\d+), http on 127\\.0\\.0\\.1:(\\d+)");

  @TempDir private Path directory;

  @Test
  void everyCommandWorks() throws Exception {
    Files.writeString(directory.resolve("orders.csv"), "id,total\n1,20\n2,30\n");
    try (Resident stadium = new Resident(directory)) {
      everyCommandWorks(stadium);
    }
  }

  private void everyCommandWorks(Resident stadium) throws IOException, InterruptedException {
    assertThat(
            stadium.run(
                "put",
                "rocksdb:data/app?record=app.trace",
                "page:home",
                "1",
                "--table",
                "visits",
                "--create"))
        .isEqualTo(new Run(0, "", ""));
    List<String> serve = commands("./stadium serve").getFirst();

    // a server, which clients talk to, and which a benchmark measures
    Cli.Started server =
        new Cli(directory)
            .start(
                Stream.concat(serve.stream().skip(1), Stream.of("--port", "0", "--http-port", "0"))
                    .toArray());
    try {
      Matcher ports = PORTS.matcher(server.awaitOutput("ready: "));
      assertThat(ports.find()).isTrue();
      for (List<String> words : commands("redis-cli")) {
        assertThat(redis(Integer.parseInt(ports.group(1)), words.subList(1, words.size())))
            .isEqualTo("+OK");
      }
      for (List<String> words : commands("curl")) {
        assertThat(http(words.getLast().replace("5577", ports.group(2)))).isEqualTo(200);
      }
      for (List<String> words : commands("./stadium bench")) {
        runs(
            stadium,
            Stream.concat(
                words.stream()
                    .skip(1)
                    .map(word ->
                        word.replace("127.0.0.1:6379", "127.0.0.1:" + ports.group(1) + "/1")
                            .replace(",go,rust", "")),
                Stream.of("--dry-run")));
      }
    } finally {
      server.process().destroy();
      server.end();
    }

    for (List<String> words : commands("./stadium")) {
      switch (words.get(1)) {
        case "serve", "bench" -> {}
        case "browse" -> browse(words);
        case "torture" ->
            runs(
                stadium,
                Stream.concat(
                    words.stream().skip(1),
                    Stream.of("--faults", "kill", "--durability", "process", "--rounds", "1")));
        default ->
            runs(
                stadium,
                words.stream()
                    .skip(1)
                    .map(word -> word.startsWith("/") ? word.substring(1) : word));
      }
    }
  }

  /** The page is there until the command is ended. */
  private void browse(List<String> words) throws IOException, InterruptedException {
    Cli.Started page =
        new Cli(directory)
            .start(Stream.concat(words.stream().skip(1), Stream.of("--no-open")).toArray());
    try {
      String url = page.awaitOutput("token=").strip();
      assertThat(http(url.substring("http://".length()))).as("opens the page").isEqualTo(303);
      assertThat(http(url.replaceFirst("http://([^/]+)/.*", "$1/"))).as("no token").isEqualTo(403);
    } finally {
      page.process().destroy();
      assertThat(page.end().exit()).isZero();
    }
  }

  private static void runs(Resident stadium, Stream<String> words) {
    List<String> command = words.toList();
    Run run = stadium.run(command.toArray());
    assertThat(run.exit()).as(command + ": " + run.out() + run.err()).isZero();
  }

  /** The words of the README's commands that begin so, without comments. */
  private static List<List<String>> commands(String start) {
    List<List<String>> commands =
        BLOCK
            .matcher(Repository.text(Repository.root().resolve("README.md")))
            .results()
            .flatMap(block -> block.group(1).lines())
            .map(line -> line.replaceFirst("^sudo ", "").replaceFirst("\\s+#.*", ""))
            .filter(line -> line.startsWith(start))
            .map(line -> WORD.matcher(line).results().map(ReadmeCommandsTest::word).toList())
            .toList();
    assertThat(commands).as("README.md has " + start).isNotEmpty();
    return commands;
  }

  private static String word(MatchResult found) {
    return found.group(1) == null ? found.group() : found.group(1);
  }

  private static String redis(int port, List<String> words) throws IOException {
    StringBuilder request = new StringBuilder("*" + words.size() + "\r\n");
    words.forEach(word -> request.append("$%d\r\n%s\r\n".formatted(word.length(), word)));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.US_ASCII));
      return new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
          .readLine();
    }
  }

  private static int http(String address) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create("http://" + address)).build(),
              BodyHandlers.discarding())
          .statusCode();
    }
  }
}
