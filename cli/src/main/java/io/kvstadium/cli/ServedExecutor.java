package io.kvstadium.cli;

import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.run.Executor;
import io.kvstadium.bench.run.Resources;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialPlan;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs each trial against its own {@code stadium serve} on its own store, in a process on a free
 * port of this machine that is started for the trial and ends with it.
 */
final class ServedExecutor implements Executor {
  private static final Pattern PORT = Pattern.compile("(?:redis|http) on 127\\.0\\.0\\.1:(\\d+),");
  private static final long PATIENCE_SECONDS = 60;

  private final Executor trials;
  private final OverTheWire wire;
  private final Installed installed;

  ServedExecutor(Executor trials, OverTheWire wire, Installed installed) {
    this.trials = trials;
    this.wire = wire;
    this.installed = installed;
  }

  @Override
  public List<Finding> check(Resources resources) {
    return trials.check(resources);
  }

  @Override
  public @Nullable String engineFolders() {
    return trials.engineFolders();
  }

  @Override
  public Message.Done run(TrialPlan plan, Resources resources, Consumer<Message> listener) {
    Configuration own = wire.served(plan.configuration().name());
    if (own == null) {
      return trials.run(plan, resources, listener);
    }
    Path directory = Path.of(plan.directory() + "-served");
    Path log = directory.resolve("stderr.txt");
    try {
      Files.createDirectories(directory);
      Process server =
          start(own.url(directory.resolve("store").toString()).toString(), resources, log);
      try (BufferedReader said = server.inputReader()) {
        String ready = said.readLine();
        Matcher port = PORT.matcher(ready == null ? "" : ready);
        return port.find()
            ? trials.run(at(plan, Integer.parseInt(port.group(1))), resources, listener)
            : failed(plan, "the server did not start: " + Files.readString(log).strip());
      } finally {
        end(server);
      }
    } catch (IOException e) {
      return failed(plan, "the server could not be run: " + e);
    } finally {
      remove(directory);
    }
  }

  private Process start(String url, Resources resources, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(each -> each.startsWith("-Dstadium.") || each.startsWith("--"))
        .forEach(command::add);
    command.add("-Xms" + (resources.heap() >> 10) + "k");
    command.add("-Xmx" + (resources.heap() >> 10) + "k");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("serve", url));
    if (wire.protocol() == OverTheWire.Protocol.RESP) {
      command.addAll(List.of("--port", "0", "--no-http"));
    } else {
      command.addAll(List.of("--http-port", "0", "--no-redis", "--raw"));
    }
    installed.named().ifPresent(folders -> command.addAll(List.of("--engine-path", folders)));
    return new ProcessBuilder(command).redirectError(log.toFile()).start();
  }

  private TrialPlan at(TrialPlan plan, int port) {
    Configuration there = plan.configuration().at(wire.protocol().at(port));
    return new TrialPlan(
        there,
        plan.number(),
        plan.seed(),
        plan.directory(),
        plan.data(),
        plan.source(),
        plan.phases(),
        plan.warmUpSeconds(),
        plan.chunks(),
        plan.baseline(),
        plan.kill());
  }

  private static void end(Process server) {
    server.destroy();
    try {
      if (!server.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        server.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      server.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private static void remove(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + directory, e);
    }
  }

  private static Message.Done failed(TrialPlan plan, String why) {
    return new Message.Done(TrialResult.failed(plan.number(), plan.seed(), why), Map.of());
  }
}
