package io.kvstadium.bench.suite;

import io.kvstadium.bench.data.GeneratedWorkset.Order;
import io.kvstadium.bench.data.KeySpec;
import io.kvstadium.bench.data.ValueSpec;
import io.kvstadium.bench.data.draw.SizeDistribution;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code [[experiment]]}. */
final class ExperimentSection {
  /** The prefix of an engine option's name in a sweep. */
  private static final String OPTION = "option.";

  private ExperimentSection() {}

  /**
   * One experiment, or the points of a sweep.
   *
   * @param suite the suite's name
   * @param memory the suite's memory limit, or 0
   */
  static List<Experiment> read(Section section, String suite, long memory) {
    String name = orEmpty(section.text("name", suite));
    String question = orEmpty(section.text("question", ""));
    long limit = section.size("memory", memory);
    String engine = section.text("current", null);
    Aim aim = new Aim(Map.of(), engine == null ? null : new Aim.Current(engine, null));
    Section sweep = section.table("sweep");
    List<Experiment> points = new ArrayList<>();
    List<@Nullable SweepPoint> swept = new ArrayList<>();
    if (sweep == null) {
      swept.add(null);
    } else {
      swept.addAll(points(sweep, name));
    }
    for (SweepPoint point : swept) {
      points.add(
          Experiment.of(
                  name,
                  question,
                  data(section, name, point),
                  phases(section, name, point),
                  configurations(section, point))
              .withMemory(limit)
              .withAim(aim)
              .at(point));
    }
    if (sweep != null && points.stream().map(each -> each.at(null)).distinct().count() < 2) {
      throw sweep.wrong(
          "parameter",
          "a key of this experiment's data or phases, or option. and the name of an engine's"
              + " option");
    }
    section.refuseOthers();
    return points;
  }

  private static List<PhaseSpec> phases(
      Section section, String experiment, @Nullable SweepPoint point) {
    List<PhaseSpec> phases = new ArrayList<>();
    Set<String> names = new HashSet<>(PhaseSpec.CALLS);
    for (Section phase : section.tables("phase")) {
      PhaseSpec spec =
          PhaseSection.read(
              point == null || !phase.has(point.parameter()) ? phase : phase.at(point));
      PhaseSpec background = spec.background();
      if (!names.add(spec.name()) || (background != null && !names.add(background.name()))) {
        String taken =
            background != null && names.contains(spec.name()) ? background.name() : spec.name();
        throw phase.error("the phase name '" + taken + "' is taken: use another one");
      }
      phases.add(spec);
    }
    if (phases.isEmpty()) {
      throw section.error(
          "experiment '" + experiment + "' has no phase: add a table headed [[experiment.phase]]");
    }
    if (!phases.getFirst().operation().loads()) {
      throw section.error(
          "phase '"
              + phases.getFirst().name()
              + "' would find no entries: put one with operation = \"insert\" before it");
    }
    return phases;
  }

  private static List<Configuration> configurations(Section section, @Nullable SweepPoint point) {
    List<Configuration> configurations = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Section each : section.tables("configuration")) {
      for (Configuration read : ConfigurationSection.read(each)) {
        if (!names.add(read.name())) {
          throw each.error(
              "there are two configurations named '" + read.name() + "': give one another name");
        }
        configurations.add(point == null ? read : at(point, read));
      }
    }
    return configurations;
  }

  private static Configuration at(SweepPoint point, Configuration configuration) {
    if (!point.parameter().startsWith(OPTION)) {
      return configuration;
    }
    Map<String, String> options = new LinkedHashMap<>(configuration.options());
    options.put(point.parameter().substring(OPTION.length()), String.valueOf(point.number()));
    return configuration.withOptions(options);
  }

  private static DataSpec data(Section experiment, String name, @Nullable SweepPoint point) {
    Section given = experiment.table("data");
    if (given == null) {
      throw experiment.error(
          "experiment '" + name + "' has no data: add a table headed [experiment.data]");
    }
    Section section = point == null ? given : given.at(point);
    ValueSpec.Form form =
        section.word("value", "bytes", List.of("bytes", "text")).equals("text")
            ? ValueSpec.Form.TEXT
            : ValueSpec.Form.BYTES;
    SizeDistribution sizes = section.parsed("value_size", "100", SizeDistribution::parse);
    double compressibility =
        section.number("compressibility", ValueSpec.DEFAULT_COMPRESSIBILITY, 0, 1);
    DataSpec data =
        new DataSpec(
            section.whole("records", 100_000, 1),
            section.parsed("key", "random-bytes:16", KeySpec::parse),
            section.word("order", "random", List.of("sequential", "random")).equals("random")
                ? Order.RANDOM
                : Order.SEQUENTIAL,
            section.check(() -> new ValueSpec(form, sizes, compressibility)));
    section.check(() -> data.workset(0));
    section.refuseOthers();
    return data;
  }

  private static List<SweepPoint> points(Section sweep, String name) {
    String parameter = sweep.text("parameter");
    List<Double> values = sweep.numbers("values");
    sweep.refuseOthers();
    if (values.size() < 2 || new HashSet<>(values).size() < values.size()) {
      throw sweep.wrong("values", "at least two different numbers: [1000, 10000]");
    }
    return values.stream().map(value -> new SweepPoint(name, parameter, value)).toList();
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
