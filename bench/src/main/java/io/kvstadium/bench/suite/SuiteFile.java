package io.kvstadium.bench.suite;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.internal.Nearest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads suites from TOML; docs/suites.md describes the format. */
public final class SuiteFile {
  /** The suites that come with Stadium, in the order in which they are listed. */
  public static final List<String> BUILT_IN =
      List.of(
          "quick",
          "crud",
          "sweep",
          "open-read",
          "multiget",
          "scale",
          "ycsb-a",
          "ycsb-b",
          "ycsb-c",
          "ycsb-d",
          "ycsb-e",
          "ycsb-f",
          "mixgraph",
          "load",
          "queue",
          "pressure",
          "age");

  private static final int KIB = 1024;

  private SuiteFile() {}

  /**
   * Returns the built-in suite of this name, or, if it ends in {@code .toml}, the suite in the file
   * of this path.
   *
   * @throws BadArgumentException with the file and line of what is wrong
   */
  public static Suite find(String nameOrPath) {
    if (nameOrPath.endsWith(".toml")) {
      try {
        return parse(Files.readString(Path.of(nameOrPath)), nameOrPath);
      } catch (NoSuchFileException e) {
        throw new BadArgumentException(
            "there is no suite file "
                + nameOrPath
                + ": give the path of a file, or one of "
                + String.join(", ", BUILT_IN),
            e);
      } catch (IOException e) {
        throw new BadArgumentException("cannot read the suite file " + nameOrPath + ": " + e, e);
      }
    }
    return parse(text(nameOrPath), nameOrPath + ".toml");
  }

  /** The text of a built-in suite's file. */
  public static String text(String name) {
    if (!BUILT_IN.contains(name)) {
      throw new BadArgumentException(
          "unknown suite '"
              + name
              + "'"
              + Nearest.hint(name, BUILT_IN)
              + "; there are: "
              + String.join(", ", BUILT_IN)
              + "; a file of your own ends in .toml");
    }
    try (InputStream in = SuiteFile.class.getResourceAsStream(name + ".toml")) {
      if (in == null) {
        throw new IllegalStateException("the suite " + name + " is missing from the program");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("the suite " + name + " cannot be read from the program", e);
    }
  }

  /**
   * Returns the suite that a text describes.
   *
   * @param file for messages
   * @throws BadArgumentException with the line of what is wrong
   */
  public static Suite parse(String text, String file) {
    Section root = Section.of(text, file, "the suite");
    String name = root.text("name");
    if (!name.matches("[A-Za-z0-9_-]{1,40}")) {
      throw root.wrong("name", "1 to 40 letters, digits, '-' and '_', as it names a directory");
    }
    String description = root.text("description", "");
    double budget = root.seconds("budget");
    int trials = root.small("trials", budget > 0 ? 0 : 5, budget > 0 ? 0 : 1);
    if (budget > 0 && trials > 0) {
      throw root.error("a budget decides how many trials there are: give budget or trials");
    }
    long heap = root.size("heap", 512L << 20);
    if (heap < 32 * KIB * KIB) {
      throw root.wrong("heap", "a size of at least \"32m\"");
    }
    long memory = root.size("memory", 0);
    List<Experiment> experiments = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Section section : root.tables("experiment")) {
      for (Experiment experiment : ExperimentSection.read(section, name, memory)) {
        if (!names.add(experiment.name())) {
          throw section.error(
              "there are two experiments named '" + experiment.name() + "': rename one");
        }
        experiments.add(experiment);
      }
    }
    root.refuseOthers();
    if (experiments.isEmpty()) {
      throw root.error("there is no experiment: add a table headed [[experiment]]");
    }
    return new Suite(
        name, description == null ? "" : description, trials, budget, heap, experiments);
  }
}
