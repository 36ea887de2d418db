package io.kvstadium.cli.verify;

import io.kvstadium.bench.machine.Check;
import io.kvstadium.bench.machine.Check.Grade;
import io.kvstadium.bench.machine.Environment;
import io.kvstadium.bench.report.table.Json;
import io.kvstadium.bench.result.Machine;
import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.io.Why;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stadium doctor}: says what about this machine would distort measurements. */
@Command(
    name = "doctor",
    description = {
      "Says what would distort measurements on this machine.",
      "Takes a few seconds, keeps all cores busy for one of them, and writes a small file into DIR."
    })
public final class DoctorCommand implements Callable<Integer> {
  @Mixin private Installed installed;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Where the stores would be: the disk to examine (default: here).")
  private Path out;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table or json (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Option(names = "--strict", description = "Exits with 1 if there is a warning.")
  private boolean strict;

  /** Output formats. */
  public enum Format {
    TABLE,
    JSON
  }

  @SuppressWarnings("NullAway.Init") // picocli sets what is annotated
  public DoctorCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    Path directory = directory();
    Environment environment = new Environment(directory);
    List<Check> checks = new ArrayList<>();
    try {
      checks.addAll(environment.examine());
    } catch (IOException e) {
      throw new BadArgumentException(
          "cannot write to " + directory + " (" + Why.of(e) + "): use --out with another directory",
          e);
    }
    checks.addAll(engines(installed.engines()));
    switch (format) {
      case TABLE -> DoctorText.print(environment.machine(), checks, System.out);
      case JSON -> System.out.println(json(environment.machine(), directory, checks));
    }
    boolean warned = checks.stream().anyMatch(each -> each.grade() == Grade.WARNING);
    return strict && warned ? 1 : 0;
  }

  /** Returns an existing directory: {@code --out}, or its nearest existing parent. */
  private Path directory() {
    if (Files.exists(out) && !Files.isDirectory(out)) {
      throw new BadArgumentException("--out " + out + " is a file: give a directory");
    }
    Path directory = out.toAbsolutePath().normalize();
    while (!Files.isDirectory(directory) && directory.getParent() != null) {
      directory = directory.getParent();
    }
    return directory;
  }

  private static List<Check> engines(Engines engines) {
    List<Check> unusable = new ArrayList<>();
    List<String> usable = new ArrayList<>();
    for (String name : engines.names()) {
      String reason;
      try {
        reason = engines.engine(name).unavailable();
      } catch (BadArgumentException e) {
        reason = String.valueOf(e.getMessage());
      }
      if (reason == null) {
        usable.add(name);
      } else {
        unusable.add(new Check("engines", name, Grade.NOTE, "cannot be used: " + reason, ""));
      }
    }
    List<Check> checks = new ArrayList<>();
    checks.add(new Check("engines", "usable", Grade.OK, String.join(", ", usable), ""));
    checks.addAll(unusable);
    return checks;
  }

  private static String json(Machine machine, Path directory, List<Check> checks) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("machine", machine);
    all.put("directory", directory.toString());
    all.put("checks", checks);
    return Json.text(all);
  }
}
