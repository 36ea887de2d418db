package io.kvstadium.cli.trace;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.internal.Why;
import io.kvstadium.trace.Operation;
import io.kvstadium.trace.TraceReader;
import io.kvstadium.trace.stat.TraceStatistics;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stadium trace stat}: what a trace tells about its application. */
@Command(
    name = "stat",
    description = {
      "Shows on one screen what an application did: operations, rates, sizes, hits, popular keys,"
          + " and how much cache its reads need.",
      "A file that is damaged or still being written is read as far as possible, and what is missing"
          + " is counted."
    })
final class TraceStatCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "A recording.")
  private Path file;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (InputStream in = open(file);
        TraceReader reader = new TraceReader(in)) {
      TraceStatistics statistics = new TraceStatistics();
      for (Operation next = reader.next(); next != null; next = reader.next()) {
        statistics.add(next);
      }
      new StatText(file.toString(), reader, statistics).lines().forEach(out::println);
    } catch (CorruptException e) {
      throw new CorruptException(file + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new BadArgumentException("cannot read " + file + " (" + Why.of(e) + ")", e);
    }
    out.flush();
    return 0;
  }

  static InputStream open(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new BadArgumentException(file + " is a directory: name a file");
    }
    try {
      return Files.newInputStream(file);
    } catch (NoSuchFileException e) {
      throw new BadArgumentException("there is no file " + file + ": check the name", e);
    }
  }
}
