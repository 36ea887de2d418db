package io.kvstadium.bench.suite;

import io.kvstadium.bench.data.Distribution;
import io.kvstadium.bench.data.ValueSpec;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.spi.Nearest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;

/** Reads suites from TOML; the form is described in docs/suites.md. */
public final class SuiteFile {
  /** The suites that come with Stadium, in the order in which they are listed. */
  public static final List<String> BUILT_IN = List.of("quick", "crud", "load", "sweep", "overhead");

  private static final List<String> FORMS = List.of("common", "crud", "overhead");
  private static final int KIB = 1024;

  private SuiteFile() {}

  /**
   * The suite of this name, or in the file of this path if it ends in {@code .toml}.
   *
   * @throws BadArgumentException with file and line of what is wrong
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
   * @param file for messages
   */
  static Suite parse(String text, String file) {
    TomlParseResult toml = Toml.parse(text);
    for (TomlParseError error : toml.errors()) {
      throw new BadArgumentException(
          file + ":" + error.position().line() + ": " + error.getMessage());
    }
    Section root = new Section(file, "the suite", toml, 1);
    String name = root.text("name");
    if (!name.matches("[A-Za-z0-9_-]{1,40}")) {
      throw root.wrong("name", "1 to 40 letters, digits, '-' and '_', for it names a directory");
    }
    String description = root.text("description", "");
    int trials = root.small("trials", 5, 1);
    double seconds = root.number("seconds", 0, 0, 1e9);
    long heap = root.size("heap", "512m");
    if (heap < 32 * KIB * KIB) {
      throw root.wrong("heap", "a size of at least \"32m\"");
    }
    List<Experiment> experiments = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Section section : root.tables("experiment")) {
      Experiment experiment = experiment(section, name);
      if (!names.add(experiment.name())) {
        throw section.error(
            "there are two experiments named '" + experiment.name() + "': rename one");
      }
      experiments.add(experiment);
    }
    root.refuseOthers();
    if (experiments.isEmpty()) {
      throw root.error("there is no experiment: add a table headed [[experiment]]");
    }
    return new Suite(
        name, description == null ? "" : description, trials, seconds, heap, experiments);
  }

  private static Experiment experiment(Section section, String suite) {
    String name = orEmpty(section.text("name", suite));
    String question = orEmpty(section.text("question", ""));
    String form = section.word("form", "common", FORMS);
    Section dataSection = section.table("data");
    if (dataSection == null) {
      throw section.error(
          "experiment '" + name + "' has no data: add a table headed [experiment.data]");
    }
    DataSpec data = data(dataSection);
    List<PhaseSpec> phases = new ArrayList<>();
    Set<String> names = new HashSet<>(Set.of("open", "close"));
    for (Section phase : section.tables("phase")) {
      PhaseSpec spec = phase(phase);
      if (!names.add(spec.name())) {
        throw phase.error("the phase name '" + spec.name() + "' is taken: use another one");
      }
      phases.add(spec);
    }
    if (phases.isEmpty()) {
      throw section.error(
          "experiment '" + name + "' has no phase: add a table headed [[experiment.phase]]");
    }
    List<Configuration> configurations = new ArrayList<>();
    Set<String> configurationNames = new HashSet<>();
    for (Section configuration : section.tables("configuration")) {
      Configuration read = configuration(configuration);
      if (!configurationNames.add(read.name())) {
        throw configuration.error(
            "there are two configurations named '" + read.name() + "': give one another name");
      }
      configurations.add(read);
    }
    section.refuseOthers();
    return new Experiment(name, question, form, data, phases, configurations);
  }

  private static DataSpec data(Section section) {
    DataSpec spec =
        new DataSpec(
            section.whole("records", 100_000, 1),
            orEmpty(section.text("key", "random-bytes:16")),
            section.word("order", "random", List.of("sequential", "random")),
            section.word("value", "bytes", List.of("bytes", "text")),
            orEmpty(section.text("value_size", "100")),
            section.number("compressibility", ValueSpec.DEFAULT_COMPRESSIBILITY, 0, 1));
    section.check(() -> spec.workset(0));
    section.refuseOthers();
    return spec;
  }

  private static PhaseSpec phase(Section section) {
    String operation =
        section.word(
            "operation", "", Arrays.stream(Operation.values()).map(Operation::word).toList());
    PhaseSpec spec =
        new PhaseSpec(
            orEmpty(section.text("name", operation)),
            Arrays.stream(Operation.values())
                .filter(o -> o.word().equals(operation))
                .findFirst()
                .orElseThrow(),
            section.whole("operations", 0, 0),
            section.number("seconds", 0, 0, 1e9),
            section.small("threads", 1, 1),
            section.small("batch", 1, 1),
            section.number("read_share", 0.95, 0, 1),
            section.small("scan_length", 100, 1),
            orEmpty(section.text("distribution", "uniform")));
    section.check(() -> Distribution.parse(spec.distribution()));
    section.refuseOthers();
    if (spec.withThreads(spec.threads()).threads() != spec.threads()) {
      throw section.wrong("threads", "1 for the operation " + operation);
    }
    refuseMeaningless(section, spec);
    return spec;
  }

  /** What would be passed over in silence, or leave fewer entries than later phases expect. */
  private static void refuseMeaningless(Section section, PhaseSpec spec) {
    Operation operation = spec.operation();
    String whose = " for the operation " + operation.word();
    if (operation.whole()) {
      if (spec.operations() != 0) {
        throw section.wrong("operations", "0" + whose + ", which takes every entry once");
      }
      if (spec.seconds() != 0) {
        throw section.wrong("seconds", "0" + whose + ", which takes every entry once");
      }
    }
    boolean batches =
        operation == Operation.INSERT
            || operation == Operation.UPDATE
            || operation == Operation.DELETE;
    if (spec.batch() > 1 && !batches) {
      throw section.wrong("batch", "1" + whose);
    }
  }

  private static Configuration configuration(Section section) {
    String engine = section.text("engine");
    String access =
        section.word("access", "single", Arrays.stream(Access.values()).map(Access::word).toList());
    String durability =
        section.word(
            "durability",
            "process",
            Arrays.stream(Durability.values()).map(Durability::word).toList());
    Map<String, String> options = section.options("options");
    Configuration configuration =
        new Configuration(
            orEmpty(section.text("name", engine)),
            engine,
            options,
            Durability.of(durability),
            Arrays.stream(Access.values())
                .filter(a -> a.word().equals(access))
                .findFirst()
                .orElseThrow(),
            orEmpty(section.text("location", "")),
            orEmpty(section.text("group", "equal")));
    section.refuseOthers();
    if (configuration.location().contains("?")) {
      throw section.wrong("location", "no '?': put options into the table `options`");
    }
    if (configuration.location().matches("//[^/@]*:[^/@]*@.*")) {
      throw section.wrong(
          "location", "no password, for it stands in reports: see the engine's options");
    }
    return configuration;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
