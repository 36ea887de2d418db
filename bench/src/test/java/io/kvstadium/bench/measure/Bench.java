package io.kvstadium.bench.measure;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.data.draw.Distribution;
import io.kvstadium.bench.data.draw.Indexes;
import io.kvstadium.bench.measure.operation.MapTarget;
import io.kvstadium.bench.measure.source.Generated;
import io.kvstadium.bench.measure.source.Generations;
import io.kvstadium.bench.measure.source.OperationSource;
import io.kvstadium.bench.measure.source.Population;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Shape;
import io.kvstadium.bench.suite.Specs;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A target with data, on which phases run one after the other as in a trial. */
public final class Bench {
  public static final long SEED = 7;

  /** How many keys can be added to the loaded ones. */
  public static final int ROOM = 5_000;

  public final Workset workset;
  public final Population population;
  public final MapTarget target;
  private final int chunk;

  public Bench(int records, MapTarget target, int chunk) {
    this.workset = data(records).workset(SEED, ROOM);
    this.population = new Population(records, workset.room());
    this.target = target;
    this.chunk = chunk;
  }

  public Bench(int records) {
    this(records, new MapTarget(), 1);
  }

  public static DataSpec data(int records) {
    return DataSpec.of(records, "random-bytes:12", "20..40");
  }

  /** One with its data loaded. */
  public static Bench loaded(int records, MapTarget target) {
    Bench bench = new Bench(records, target, 1);
    bench.run(phase(Operation.INSERT));
    return bench;
  }

  public static Bench loaded(int records) {
    return loaded(records, new MapTarget());
  }

  public PhaseResult run(PhaseSpec spec) {
    return runAll(spec).getFirst();
  }

  /** With its background load. */
  public List<PhaseResult> runAll(PhaseSpec spec) {
    return new PhaseRun(spec, workset, population, SEED, chunk, new TrialTotals(), share -> {})
        .run(target);
  }

  /** A phase over all keys; a mix is half reads, half updates. */
  public static PhaseSpec phase(Operation operation) {
    return phase(operation, 0, "shuffled");
  }

  public static PhaseSpec phase(Operation operation, long operations, String distribution) {
    Shape shape = Specs.shape(1, "10");
    return Specs.on(
        Distribution.parse(distribution),
        PhaseSpec.of(operation.word(), operation)
            .sized(operations, 0)
            .withShape(operation == Operation.MIXED ? shape.withMix(Specs.mix(0.5)) : shape));
  }

  public static PhaseSpec named(PhaseSpec spec, String name) {
    return new PhaseSpec(
        name,
        spec.operation(),
        spec.operations(),
        spec.seconds(),
        spec.threads(),
        spec.shape(),
        spec.distribution(),
        spec.rate(),
        spec.cold(),
        spec.background(),
        spec.durability(),
        spec.replay());
  }

  /** What one thread draws from. */
  public static OperationSource feed(
      Map<Operation, Double> mix, Indexes indexes, long records, long seed) {
    return new Generated(
        mix,
        indexes,
        new Population(records, records).adder(0, 1),
        data((int) records).workset(seed),
        new Generations(records),
        () -> 10,
        new SplittableRandom(seed));
  }
}
