package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;

/** A target with data, on which phases run one after the other as in a trial. */
final class Bench {
  static final long SEED = 7;

  final Workset workset;
  final int[] generations;
  final MapTarget target;
  private final int chunk;

  Bench(int records, MapTarget target, int chunk) {
    this.workset = data(records).workset(SEED);
    this.generations = new int[records];
    this.target = target;
    this.chunk = chunk;
  }

  Bench(int records) {
    this(records, new MapTarget(), 1);
  }

  static DataSpec data(int records) {
    return new DataSpec(records, "random-bytes:12", "random", "bytes", "20..40", 0.5);
  }

  /** One with its data loaded. */
  static Bench loaded(int records, MapTarget target) {
    Bench bench = new Bench(records, target, 1);
    bench.run(phase(Operation.INSERT));
    return bench;
  }

  static Bench loaded(int records) {
    return loaded(records, new MapTarget());
  }

  PhaseResult run(PhaseSpec spec) {
    return new PhaseRun(spec, workset, generations.length, generations, SEED, chunk, share -> {})
        .run(target);
  }

  /** A phase over all keys. */
  static PhaseSpec phase(Operation operation) {
    return new PhaseSpec(operation.word(), operation, 0, 0, 1, 1, 0.5, 10, "shuffled");
  }

  static PhaseSpec phase(Operation operation, long operations, String distribution) {
    return new PhaseSpec(operation.word(), operation, operations, 0, 1, 1, 0.5, 10, distribution);
  }

  static PhaseSpec threads(PhaseSpec spec, int threads) {
    return spec.withThreads(threads);
  }

  static PhaseSpec batched(PhaseSpec spec, int batch) {
    return new PhaseSpec(
        spec.name(),
        spec.operation(),
        spec.operations(),
        spec.seconds(),
        spec.threads(),
        batch,
        spec.readShare(),
        spec.scanLength(),
        spec.distribution());
  }

  static PhaseSpec named(PhaseSpec spec, String name) {
    return new PhaseSpec(
        name,
        spec.operation(),
        spec.operations(),
        spec.seconds(),
        spec.threads(),
        spec.batch(),
        spec.readShare(),
        spec.scanLength(),
        spec.distribution());
  }
}
