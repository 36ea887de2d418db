package io.kvstadium.bench.run;

import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Shape;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.store.Durability;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Small suites and settings. */
final class Suites {
  static final long HEAP = 64L << 20;
  static final DataSpec DATA = new DataSpec(1_000, "uint64", "random", "bytes", "100", 0.5);

  private Suites() {}

  static Suite suite(int trials, double seconds, Experiment... experiments) {
    return new Suite("mine", "for tests", trials, seconds, HEAP, List.of(experiments));
  }

  static Experiment experiment(
      String name, String form, List<PhaseSpec> phases, Configuration... configurations) {
    return new Experiment(
        name, "Which?", form, null, 0, false, DATA, phases, List.of(configurations));
  }

  static Configuration configuration(String engine) {
    return configuration(engine, engine, Access.SINGLE);
  }

  static Configuration configuration(String name, String engine, Access access) {
    return new Configuration(name, engine, Map.of(), Durability.CONSISTENT, access, "equal");
  }

  static PhaseSpec phase(Operation operation) {
    return phase(operation, 0, 0);
  }

  static PhaseSpec phase(Operation operation, long operations, double seconds) {
    return PhaseSpec.of(operation.word(), operation)
        .sized(operations, seconds)
        .withShape(operation == Operation.MIXED ? Shape.SINGLE.withReadShare(0.95) : Shape.SINGLE);
  }

  /** What a user says who says nothing. */
  static Settings settings(Path out) {
    return new Settings(List.of(), 0, 1, null, 0, 0, 42, out, false, null, "stadium bench");
  }

  static Settings engines(Settings settings, String... names) {
    return with(settings, List.of(names), settings.trials(), settings.scale(), null, 0);
  }

  static Settings with(
      Settings settings,
      List<String> engines,
      int trials,
      double scale,
      @Nullable Durability durability,
      int threads) {
    return new Settings(
        engines,
        trials,
        scale,
        durability,
        threads,
        settings.memory(),
        settings.seed(),
        settings.out(),
        settings.strict(),
        null,
        settings.command());
  }
}
