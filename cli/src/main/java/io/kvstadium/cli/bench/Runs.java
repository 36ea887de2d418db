package io.kvstadium.cli.bench;

import io.kvstadium.bench.report.analysis.NamedRun;
import io.kvstadium.bench.run.Runner;
import io.kvstadium.cli.io.ValueList;
import io.kvstadium.store.BadArgumentException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Reads saved runs that are shown together. */
final class Runs {
  private Runs() {}

  /**
   * Reads runs.
   *
   * @param paths each a results.json or the directory of a run
   * @param given names, one for each, or none to name them after their directories
   */
  static List<NamedRun> read(List<Path> paths, List<String> given) {
    List<String> names = ValueList.of("--names", given);
    if (!names.isEmpty() && paths.size() == 1) {
      throw new BadArgumentException(
          "--names tells several runs apart, and there is one: leave it out");
    }
    if (!names.isEmpty() && names.size() != paths.size()) {
      throw new BadArgumentException(
          "--names has "
              + names.size()
              + (names.size() == 1 ? " name" : " names")
              + " for "
              + paths.size()
              + (paths.size() == 1 ? " run" : " runs")
              + ": give one for each, separated by commas");
    }
    List<NamedRun> runs = new ArrayList<>();
    List<String> used = new ArrayList<>(names);
    for (int i = 0; i < paths.size(); i++) {
      String name = names.isEmpty() ? name(paths.get(i), used) : names.get(i);
      used.add(name);
      runs.add(new NamedRun(name, Reports.read(paths.get(i))));
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
