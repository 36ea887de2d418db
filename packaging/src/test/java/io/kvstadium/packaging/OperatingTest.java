package io.kvstadium.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.testsupport.Needs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of the page for operators, as they are printed there and in their order, with the
 * files that they install. Only the root directory and the ports are others, and what changes the
 * machine is replaced: {@code systemctl} starts what the unit says.
 */
@Tag("ci")
class OperatingTest {
  private static final Pattern BLOCK = Pattern.compile("(?m)^```sh\\R((?s:.*?))^```$");

  /** What stands for a program that changes the machine. */
  private static final Map<String, String> PROGRAMS =
      Map.of(
          "sudo", "exec \"$@\"",
          "useradd", "",
          "chown", "",
          "redis-cli", "exec \"$REDIS_CLI\" -p \"$REDIS_PORT\" \"$@\"",
          "systemctl",
              """
              value() { sed -n "s/^$1=//p" "$ROOT/etc/systemd/system/stadium.service"; }
              start() {
                mkdir -p "$ROOT/var/lib/stadium"
                $(value ExecStartPre)
                $(value ExecStart) >>"$ROOT/log" 2>&1 &
                echo $! >"$ROOT/pid"
                until curl -fs "http://localhost:$HEALTH_PORT/ready"; do
                  kill -0 "$(cat "$ROOT/pid")" || { cat "$ROOT/log"; exit 1; }
                  sleep 0.1
                done
              }
              stop() {
                kill "$(cat "$ROOT/pid")"
                while kill -0 "$(cat "$ROOT/pid")" 2>/dev/null; do sleep 0.1; done
              }
              case "$*" in
                daemon-reload) ;;
                'enable --now stadium' | 'start stadium') start ;;
                'stop stadium') stop ;;
                'reload stadium') kill -HUP "$(cat "$ROOT/pid")" ;;
                *) echo "systemctl $*" >&2 && exit 1 ;;
              esac
              """);

  @TempDir private Path root;
  private final int redis = freePort();
  private final int http = freePort();
  private final int health = freePort();

  @AfterEach
  void nothingIsLeftRunning() throws Exception {
    if (Files.exists(root.resolve("pid"))) {
      ProcessHandle.of(Long.parseLong(Files.readString(root.resolve("pid")).strip()))
          .ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void everyCommandWorksAndTheDashboardShowsWhatThereIs() throws Exception {
    Path redisCli = Needs.program("redis-cli", "redis-tools");
    Needs.program("openssl", "openssl");
    Needs.program("curl", "curl");
    layOut();
    String page = Files.readString(Checkout.ROOT.resolve("docs/operating.md"));
    String commands =
        BLOCK.matcher(page).results().map(block -> block.group(1)).collect(Collectors.joining());
    Files.writeString(
        root.resolve("page.sh"),
        """
        set -eu
        export ROOT=%1$s REDIS_CLI=%2$s REDIS_PORT=%3$d HEALTH_PORT=%4$d PATH=%1$s/bin:$PATH
        %5$s%6$s
        kv GET app:greeting
        systemctl stop stadium
        """
            .formatted(root, redisCli, redis, health, here(commands), here(metrics(commands))));

    Checkout.Run run = Checkout.run(root, List.of("sh", "page.sh"));

    assertThat(run.exit()).as(run.said()).isZero();
    assertThat(run.said()).as("the restored store").endsWith("hello\n");
    assertThat(root.resolve("var/lib/stadium/data.new")).isDirectory();
    assertThat(shown()).hasSizeGreaterThan(20).allMatch(run.said()::contains);
  }

  /** Twice more: what counts requests over HTTP is there after the first since the start. */
  private static String metrics(String commands) {
    String metrics =
        commands.lines().filter(each -> each.endsWith("/v1/metrics")).findFirst().orElseThrow();
    return metrics + "\n" + metrics;
  }

  /** A checkout with a built command, below which nothing is written. */
  private void layOut() throws IOException, InterruptedException {
    Path dist = root.resolve("dist");
    Files.createDirectories(dist.resolve("cache"));
    Path launcher = Checkout.ROOT.resolve("stadium");
    for (Path folder : List.of(root, dist)) {
      Files.copy(launcher, folder.resolve("stadium")); // with its rights
    }
    Files.copy(Checkout.ROOT.resolve("packaging/jdk.sh"), dist.resolve("jdk.sh"));
    for (String part : List.of("lib", "engines")) {
      Files.createSymbolicLink(dist.resolve(part), Checkout.ROOT.resolve("target/dist/" + part));
    }
    Checkout.run(
        root,
        List.of(
            "sh",
            "-c",
            "sum=$(cksum <\"$JAVA_HOME/release\") && : >\"dist/cache/${sum%% *}.aot\""));
    for (String file : List.of("server.toml", "stadium.service")) {
      Path copy = root.resolve("packaging/systemd").resolve(file);
      Files.createDirectories(copy.getParent());
      String text = here(Files.readString(Checkout.ROOT.resolve("packaging/systemd/" + file)));
      Files.writeString(
          copy,
          file.endsWith(".toml")
              ? "port = %d\nhttp_port = %d\n%s".formatted(redis, http, text)
              : text);
    }
    for (String folder : List.of("opt", "var/tmp", "etc/systemd/system", "bin")) {
      Files.createDirectories(root.resolve(folder));
    }
    for (Map.Entry<String, String> program : PROGRAMS.entrySet()) {
      Path file = root.resolve("bin").resolve(program.getKey());
      Files.writeString(file, "#!/bin/sh\nset -e\n" + program.getValue());
      assertThat(file.toFile().setExecutable(true)).isTrue();
    }
  }

  /** The same text for this directory and these ports. */
  private String here(String text) {
    return text.replaceAll("(?<![\\w.])/(opt|etc|var)/", root + "/$1/")
        .replace("5577", String.valueOf(http))
        .replace("5578", String.valueOf(health));
  }

  /** The names of metrics in the expressions of the dashboard. */
  private static Set<String> shown() throws IOException {
    return Pattern.compile("(?:stadium|jvm)_\\w+|(?<=name=\\\\\")\\w+")
        .matcher(Files.readString(Checkout.ROOT.resolve("packaging/monitoring/dashboard.json")))
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
