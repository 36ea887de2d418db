package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Network;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.ResultsFile;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.cli.Cli.Run;
import io.kvstadium.testing.Needs;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Several clients of one redis-server. Each has its own virtual machine and warm-up. */
@TestInstance(Lifecycle.PER_CLASS)
class ClientsTest {

  private static final String SUITE =
      """
      name = "little"
      [[experiment]]
      [experiment.data]
      records = 400
      [[experiment.phase]]
      operation = "insert"
      name = "load"
      [[experiment.phase]]
      operation = "mixed"
      mix = { get = 0.5, update = 0.5 }
      operations = 2000
      [[experiment.phase]]
      operation = "get"
      name = "read"
      operations = 2000
      """;

  private Path directory;
  private Process server;
  private String url;

  @BeforeAll
  void start(@TempDir Path fresh) throws IOException {
    Path program = Needs.program("redis-server", "redis-server");
    directory = fresh;
    Files.writeString(directory.resolve("little.toml"), SUITE);
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    url = "redis://127.0.0.1:" + port + "?durability=none";
    server =
        new ProcessBuilder(
                List.of(
                    program.toString(),
                    "--port",
                    Integer.toString(port),
                    "--bind",
                    "127.0.0.1",
                    "--save",
                    "",
                    "--dir",
                    directory.toString()))
            .redirectErrorStream(true)
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(server::destroy));
    BufferedReader said = server.inputReader(); // left open because the server keeps printing
    String line = said.readLine();
    while (line != null && !line.contains("eady to accept connections")) {
      line = said.readLine();
    }
    assertThat(line).isNotNull();
  }

  @AfterAll
  void stop() throws InterruptedException {
    if (server != null) {
      server.destroy();
      int _ = server.waitFor();
    }
  }

  private List<ConfigurationResult> configurations(String out) {
    return ResultsFile.read(directory.resolve(out).resolve("results.json"))
        .experiments()
        .getFirst()
        .configurations();
  }

  private static PhaseResult phase(TrialResult trial, String name) {
    return trial.phases().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Tag("full")
  @Test
  void severalProcessesMakeOneFigure() {
    Run run =
        new Cli(directory)
            .run(
                "bench",
                "little.toml",
                "--engines",
                url,
                "--clients",
                "1,2",
                "--trials",
                1,
                "--out",
                "here");

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).contains("Round trip (a get of a missing key)");
    List<ConfigurationResult> both = configurations("here");
    assertThat(both)
        .extracting(ConfigurationResult::name)
        .allMatch(each -> each.startsWith("redis://"))
        .satisfiesExactly(
            each -> assertThat(each).endsWith(", 1 client"),
            each -> assertThat(each).endsWith(", 2 clients"));
    TrialResult two = both.getLast().trials().getFirst();
    assertThat(two.failure()).isNull();
    assertThat(phase(two, "load").operations()).isEqualTo(400);
    assertThat(phase(two, "mixed").operations()).isEqualTo(2_000);
    assertThat(phase(two, "read").operations()).isEqualTo(2_000);
    assertThat(phase(two, "read").threads()).isEqualTo(2);
    Network network = two.network();
    assertThat(network.roundTripNanos()).hasSize(2);
    assertThat(network.startNanos()).containsOnlyKeys("load", "mixed", "read");
    assertThat(network.hosts()).isEmpty();
    assertThat(both.getFirst().trials().getFirst().network().startNanos()).isEmpty();
  }

  @Tag("full")
  @Test
  void clientsRunOnHostsByACommand() {
    Cli cli = new Cli(directory);

    Run run =
        cli.run(
            "bench",
            "little.toml",
            "--engines",
            url + "&client_name=far",
            "--clients-on",
            "one,two",
            "--clients",
            "1,2",
            "--client-command",
            "test {host} != three && exec " + cli.line("client"),
            "--trials",
            1,
            "--out",
            "there");

    assertThat(run.exit()).as(run.err()).isZero();
    List<TrialResult> both =
        configurations("there").stream().map(each -> each.trials().getFirst()).toList();
    assertThat(both)
        .allSatisfy(trial -> {
          assertThat(trial.failure()).isNull();
          assertThat(phase(trial, "read").operations()).isEqualTo(2_000);
        });
    assertThat(both)
        .extracting(trial -> trial.network().hosts())
        .containsExactly(List.of("one"), List.of("one", "two"));
  }

  @Tag("full")
  @Test
  void aHostThatCannotBeReachedIsNamed() {
    Run run =
        new Cli(directory)
            .run(
                "bench",
                "little.toml",
                "--engines",
                url,
                "--clients-on",
                "one",
                "--clients",
                2,
                "--client-command",
                "echo no route to {host} >&2; exit 255;",
                "--trials",
                1,
                "--out",
                "nowhere");

    assertThat(run.out() + run.err())
        .contains(" of 2: on one: ") // from either one: both end at the same time
        .contains("no route to one");
  }

  @Test
  void hostsAreForServersAndACommandIsForHosts() {
    Cli cli = new Cli(directory);

    assertThat(cli.run("bench", "--client-command", "ssh {host} x").err())
        .contains("--client-command needs --clients-on");
    assertThat(cli.run("bench", "--clients-on", "one", "--engines", "lmdb", "--out", "far").err())
        .contains("clients on other hosts need a store that a server keeps");
    assertThat(cli.run("bench", "--clients-on=-x", "--engines", url).err())
        .contains("--clients-on '-x': give names or addresses of hosts");
    assertThat(directory.resolve("far")).doesNotExist();
  }

  @Test
  void anEmbeddedStoreHasOneClient() {
    Run run =
        new Cli(directory).run("bench", "--engines", "lmdb", "--clients", 2, "--out", "refused");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .contains("lmdb, 2 clients: several clients need a store that a server keeps");
    assertThat(directory.resolve("refused")).doesNotExist();
  }
}
