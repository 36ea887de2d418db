package io.kvstadium.cli.bench;

import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.bench.run.Runner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Reads saved runs that are shown together. */
final class Runs {
  private Runs() {}

  /** Reads runs, each a results.json or the directory of one, and names them after that. */
  static List<NamedRun> read(List<Path> paths) {
    List<NamedRun> runs = new ArrayList<>();
    List<String> used = new ArrayList<>();
    for (Path path : paths) {
      String name = name(path, used);
      used.add(name);
      runs.add(new NamedRun(name, Reports.read(path)));
    }
    return runs;
  }

  /** The directory's name, or the file's if it does not have the name that the runner gives it. */
  private static String name(Path path, List<String> used) {
    Path file = Reports.file(path).toAbsolutePath().normalize();
    Path named = file;
    if (file.endsWith(Runner.RESULTS) && file.getParent() != null) {
      named = Objects.requireNonNull(file.getParent());
    }
    Path last = named.getFileName();
    String name = last == null ? "run" : last.toString().replaceFirst("\\.json$", "");
    String unique = name;
    for (int number = 2; used.contains(unique); number++) {
      unique = name + " " + number;
    }
    return unique;
  }
}
