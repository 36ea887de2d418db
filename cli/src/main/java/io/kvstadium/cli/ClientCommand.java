package io.kvstadium.cli;

import io.kvstadium.bench.run.ForkedExecutor;
import io.kvstadium.bench.trial.Message;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stadium client}: one client of a trial that another host runs. */
@Command(
    name = "client",
    description = {
      "One client of a trial: what 'stadium bench --clients-on' starts on other hosts.",
      "It reads from standard input what to do, and ends when that ends."
    })
final class ClientCommand implements Callable<Integer> {
  @Mixin private Installed installed;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "512m",
      description = "Heap of its virtual machine, fixed (default: ${DEFAULT-VALUE}).")
  private String heap;

  @SuppressWarnings("NullAway.Init") // picocli sets what is annotated
  ClientCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    long bytes = BenchCommand.size("--heap", heap);
    System.out.println(
        Message.encode(
            new Message.Hello(
                Message.PROTOCOL,
                "java",
                Runtime.version().toString(),
                Version.number(),
                List.of())));
    System.out.flush();
    return new ProcessBuilder(ForkedExecutor.client(bytes, installed.folders()))
        .inheritIO()
        .start()
        .waitFor();
  }
}
