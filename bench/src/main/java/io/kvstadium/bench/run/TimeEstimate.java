package io.kvstadium.bench.run;

import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.bench.worker.Languages;
import io.kvstadium.store.Capability;
import java.util.Map;

/**
 * How long things will take, roughly: enough to share out a suite's time, and to tell a user
 * whether to wait or to go for lunch. The figures are the middle between fast and slow engines and
 * disks.
 */
record TimeEstimate(Languages languages) {
  private static final double IN_MEMORY_SECONDS = 2e-7;
  private static final double READ_SECONDS = 5e-6;

  /** A read that has to go to the disk. */
  private static final double COLD_READ_SECONDS = 1e-4;

  /** The next entry of a scan. */
  private static final double NEXT_SECONDS = 1e-6;

  /** Closing a store and opening it again. */
  private static final double OPEN_SECONDS = 5e-3;

  /** The same, and dropping what is cached of it, before a cold phase. */
  private static final double COLD_START_SECONDS = 1;

  private static final double BULK_SECONDS = 2e-6;
  private static final double BATCHED_SECONDS = 6e-6;
  private static final double UNSYNCED_SECONDS = 1e-5;
  private static final double CONSISTENT_SECONDS = 1.5e-4;
  private static final double SYNCED_SECONDS = 8e-4;

  /** What a search for a rate takes where the suite does not say. */
  static final double SEARCH_SECONDS = 10;

  /** Keys and values are made, and what was read is checked, in addition to the measured time. */
  static final double WITH_DATA_MAKING = 1.3;

  /** The phases of a trial. */
  double seconds(PlannedTrial trial, Experiment experiment) {
    return trial.phases().stream()
        .mapToDouble(phase -> seconds(trial.configuration(), phase, experiment.data()))
        .sum();
  }

  /** One phase of one trial. */
  double seconds(Configuration configuration, PhaseSpec phase, DataSpec data) {
    double start = phase.cold() ? COLD_START_SECONDS : 0;
    Rate rate = phase.rate();
    if (rate != null) {
      return start + paced(phase, rate, data);
    }
    double most = phase.seconds() > 0 ? phase.seconds() : Double.MAX_VALUE;
    if (phase.operations() == 0 && phase.seconds() > 0) {
      return start + most * WITH_DATA_MAKING;
    }
    long operations = operations(phase, data);
    double work = operations * perOperation(configuration, phase, phase.operation());
    return start + Math.min(most, work) * WITH_DATA_MAKING;
  }

  /** Data are made in the gaps between operations. */
  private static double paced(PhaseSpec phase, Rate rate, DataSpec data) {
    return phase.seconds() > 0
        ? phase.seconds()
        : rate.searches() ? SEARCH_SECONDS : operations(phase, data) / rate.perSecond();
  }

  private static long operations(PhaseSpec phase, DataSpec data) {
    return phase.operations() > 0 ? phase.operations() : data.records();
  }

  private double perOperation(Configuration configuration, PhaseSpec phase, Operation operation) {
    boolean onDisk =
        configuration.access() != Access.FILE
            && languages
                .engine(configuration)
                .info()
                .capabilities()
                .contains(Capability.PERSISTENT);
    double read = !onDisk ? IN_MEMORY_SECONDS : phase.cold() ? COLD_READ_SECONDS : READ_SECONDS;
    double write = onDisk ? write(configuration, phase) : IN_MEMORY_SECONDS;
    return switch (operation) {
      case GET, LEND, SCAN_ALL -> read;
      case MULTI_GET -> phase.shape().keys() * read / phase.shape().parallelism();
      case SCAN ->
          read + phase.shape().scanLength().mean() * (onDisk ? NEXT_SECONDS : IN_MEMORY_SECONDS);
      case OPEN_GET -> onDisk ? OPEN_SECONDS + read : read;
      case READ_MODIFY_WRITE -> read + write;
      case INSERT, UPDATE, DELETE -> write;
      case LOAD -> onDisk ? BULK_SECONDS : IN_MEMORY_SECONDS;
      case MIXED -> {
        double mean = 0;
        for (Map.Entry<Operation, Double> part : phase.shape().mix().entrySet()) {
          mean += part.getValue() * perOperation(configuration, phase, part.getKey());
        }
        yield mean;
      }
    };
  }

  private static double write(Configuration configuration, PhaseSpec phase) {
    if (phase.shape().batch() > 1 || configuration.access() != Access.SINGLE) {
      return BATCHED_SECONDS;
    }
    return switch (configuration.durability()) {
      case NONE, PROCESS -> UNSYNCED_SECONDS;
      case CONSISTENT -> CONSISTENT_SECONDS;
      case POWER, ENGINE_DEFAULT -> SYNCED_SECONDS;
    };
  }
}
