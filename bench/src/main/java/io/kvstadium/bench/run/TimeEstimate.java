package io.kvstadium.bench.run;

import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Engines;

/**
 * How long things will take, roughly: enough to share out a suite's time, and to tell a user
 * whether to wait or to go for lunch. The figures are the middle between fast and slow engines and
 * disks.
 */
record TimeEstimate(Engines engines) {
  private static final double IN_MEMORY_SECONDS = 2e-7;
  private static final double READ_SECONDS = 5e-6;
  private static final double BULK_SECONDS = 2e-6;
  private static final double BATCHED_SECONDS = 6e-6;
  private static final double UNSYNCED_SECONDS = 1e-5;
  private static final double PROCESS_SECONDS = 1.5e-4;
  private static final double SYNCED_SECONDS = 8e-4;

  /** Keys and values are made, and what was read is checked, beside the time that is measured. */
  static final double WITH_DATA_MAKING = 1.3;

  /** The last writes, and the start of another process. */
  private static final double KILL_SECONDS = 4;

  /** A paired trial does everything on two stores, and once before to warm up. */
  private static final int PAIRED_PASSES = 4;

  /** One trial of each configuration. */
  double seconds(Experiment experiment, double fixedPerTrial) {
    double sum = 0;
    for (Configuration configuration : experiment.withOwnTrials()) {
      double work = 0;
      for (PhaseSpec phase : experiment.phases()) {
        work += seconds(configuration, phase, experiment.data().records());
      }
      sum +=
          fixedPerTrial
              + (experiment.kill() ? KILL_SECONDS : 0)
              + (experiment.paired() ? PAIRED_PASSES : 1) * work;
    }
    return sum;
  }

  /** One phase of one trial. */
  double seconds(Configuration configuration, PhaseSpec phase, long records) {
    double most = phase.seconds() > 0 ? phase.seconds() : Double.MAX_VALUE;
    if (phase.operations() == 0 && phase.seconds() > 0) {
      return most * WITH_DATA_MAKING;
    }
    long operations = phase.operations() > 0 ? phase.operations() : records;
    return Math.min(most, operations * perOperation(configuration, phase)) * WITH_DATA_MAKING;
  }

  private double perOperation(Configuration configuration, PhaseSpec phase) {
    boolean onDisk =
        configuration.access() != Access.FILE
            && engines
                .engine(configuration.engine())
                .info()
                .capabilities()
                .contains(Capability.PERSISTENT);
    if (!onDisk) {
      return IN_MEMORY_SECONDS;
    }
    if (!phase.writes()) {
      return READ_SECONDS;
    }
    boolean single =
        configuration.access() == Access.SINGLE || configuration.access() == Access.RAW;
    if (phase.operation() == Operation.LOAD) {
      return BULK_SECONDS;
    }
    if (phase.shape().batch() > 1 || !single) {
      return BATCHED_SECONDS;
    }
    return switch (configuration.durability()) {
      case NONE -> UNSYNCED_SECONDS;
      case PROCESS -> PROCESS_SECONDS;
      case POWER, ENGINE_DEFAULT -> SYNCED_SECONDS;
    };
  }
}
