package io.kvstadium.bench.suite;

import io.kvstadium.bench.data.GeneratedWorkset.Order;
import io.kvstadium.bench.data.KeySpec;
import io.kvstadium.bench.data.ValueSpec;
import io.kvstadium.bench.data.draw.SizeDistribution;
import io.kvstadium.store.BadArgumentException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code [[experiment]]}. */
final class ExperimentSection {
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
    long limit = section.size("memory", Long.toString(memory));
    String engine = section.text("current", null);
    Aim aim = new Aim(Map.of(), engine == null ? null : new Aim.Current(engine, null, null));
    Section dataSection = section.table("data");
    if (dataSection == null) {
      throw section.error(
          "experiment '" + name + "' has no data: add a table headed [experiment.data]");
    }
    DataSpec data = data(dataSection);
    List<PhaseSpec> phases = phases(section, name);
    List<Configuration> configurations = configurations(section);
    Section sweepSection = section.table("sweep");
    Experiment experiment =
        new Experiment(name, question, null, limit, aim, data, phases, configurations);
    List<Experiment> points =
        sweepSection == null ? List.of(experiment) : sweep(sweepSection, experiment);
    section.refuseOthers();
    return points;
  }

  private static List<PhaseSpec> phases(Section section, String experiment) {
    List<PhaseSpec> phases = new ArrayList<>();
    Set<String> names = new HashSet<>(Set.of("create", "open", "close"));
    for (Section phase : section.tables("phase")) {
      PhaseSpec spec = PhaseSection.read(phase);
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
    return phases;
  }

  private static List<Configuration> configurations(Section section) {
    List<Configuration> configurations = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Section each : section.tables("configuration")) {
      for (Configuration read : ConfigurationSection.read(each)) {
        if (!names.add(read.name())) {
          throw each.error(
              "there are two configurations named '" + read.name() + "': give one another name");
        }
        configurations.add(read);
      }
    }
    return configurations;
  }

  private static DataSpec data(Section section) {
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

  private static List<Experiment> sweep(Section section, Experiment experiment) {
    String parameter = section.text("parameter");
    List<Double> values = section.numbers("values");
    section.refuseOthers();
    if (values.size() < 2 || new HashSet<>(values).size() < values.size()) {
      throw section.wrong("values", "at least two different numbers: [1000, 10000]");
    }
    List<Experiment> points = new ArrayList<>();
    for (double value : values) {
      SweepPoint point = new SweepPoint(experiment.name(), parameter, value);
      try {
        points.add(Sweep.at(experiment, point));
      } catch (BadArgumentException e) {
        throw section.wrong("parameter", String.valueOf(e.getMessage()));
      }
    }
    if (points.stream().map(point -> point.at(null)).distinct().count() < 2) {
      throw section.wrong("parameter", "something that a phase of this experiment uses");
    }
    return points;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
