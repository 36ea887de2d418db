package io.kvstadium.bench.trial;

import io.kvstadium.bench.fake.MisbehavingEngine;
import io.kvstadium.bench.measure.Bench;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Shape;
import io.kvstadium.bench.suite.Specs;
import io.kvstadium.store.Durability;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Small plans of trials. */
public final class Plans {
  /** How many entries they load. */
  public static final int RECORDS = 600;

  private Plans() {}

  /** On an engine, with options. */
  public static TrialPlan of(
      Path directory, String engine, Access access, Map<String, String> options) {
    return new TrialPlan(
        new Configuration(engine, engine, options, Durability.NONE, access, "equal"),
        2,
        77,
        directory.toString(),
        Bench.data(RECORDS),
        null,
        List.of(
            phase(Operation.INSERT, 0, 0),
            phase(Operation.GET, 900, 0),
            phase(Operation.UPDATE, 500, 0),
            phase(Operation.SCAN, 20, 0),
            phase(Operation.SCAN_ALL, 0, 0),
            phase(Operation.GET, 0, 0, "get again"),
            phase(Operation.DELETE, 0, 0)),
        0,
        Map.of(),
        false);
  }

  /** On the engine that does what it should not. */
  public static TrialPlan misbehaving(Path directory, String deed, Map<String, String> options) {
    Map<String, String> all = new LinkedHashMap<>(options);
    all.put("deed", deed);
    return with(
        of(directory, MisbehavingEngine.NAME, Access.SINGLE, all),
        List.of(phase(Operation.INSERT, 0, 0), phase(Operation.GET, 0, 0)));
  }

  /** Returns a copy with another configuration. */
  public static TrialPlan at(TrialPlan plan, Configuration configuration) {
    return new TrialPlan(
        configuration,
        plan.number(),
        plan.seed(),
        plan.directory(),
        plan.data(),
        plan.source(),
        plan.phases(),
        plan.warmUpSeconds(),
        plan.chunks(),
        false);
  }

  /** Returns a copy with other phases. */
  public static TrialPlan with(TrialPlan plan, List<PhaseSpec> phases) {
    return new TrialPlan(
        plan.configuration(),
        plan.number(),
        plan.seed(),
        plan.directory(),
        plan.data(),
        plan.source(),
        phases,
        plan.warmUpSeconds(),
        plan.chunks(),
        false);
  }

  static TrialPlan warmed(TrialPlan plan, double seconds, int chunk) {
    return new TrialPlan(
        plan.configuration(),
        plan.number(),
        plan.seed(),
        plan.directory(),
        plan.data(),
        plan.source(),
        plan.phases(),
        seconds,
        chunk == 0 ? Map.of() : chunks(plan, chunk),
        false);
  }

  private static Map<String, Integer> chunks(TrialPlan plan, int chunk) {
    Map<String, Integer> chunks = new LinkedHashMap<>();
    plan.phases().forEach(phase -> chunks.put(phase.name(), chunk));
    return chunks;
  }

  /** Returns a phase with the name of its operation. */
  public static PhaseSpec phase(Operation operation, long operations, double seconds) {
    return phase(operation, operations, seconds, operation.word());
  }

  static PhaseSpec phase(Operation operation, long operations, double seconds, String name) {
    Shape shape = Specs.shape(1, "10");
    return PhaseSpec.of(name, operation)
        .sized(operations, seconds)
        .withShape(operation == Operation.MIXED ? shape.withMix(Specs.mix(0.5)) : shape);
  }
}
