package io.kvstadium.bench.run;

import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.EngineInfo;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells which configurations can run, so that none fails in its trials for what was known. */
final class Fitness {
  private final Engines engines;

  Fitness(Engines engines) {
    this.engines = engines;
  }

  /**
   * Why a configuration cannot run an experiment, or {@code null} if it can.
   *
   * @param threads of every phase that can be shared, instead of the suite's, or 0
   */
  @Nullable String whyNot(Configuration configuration, Experiment experiment, int threads) {
    Engine engine;
    try {
      engine = engines.engine(configuration.engine());
    } catch (BadArgumentException e) {
      return String.valueOf(e.getMessage());
    }
    EngineInfo info = engine.info();
    String unavailable = engine.unavailable();
    if (unavailable != null) {
      return unavailable;
    }
    if (!info.durability().containsKey(configuration.durability())) {
      return "engine "
          + info.name()
          + " cannot give durability "
          + configuration.durability().word();
    }
    for (PhaseSpec phase : experiment.phases()) {
      PhaseSpec adjusted = threads > 0 ? phase.withThreads(threads) : phase;
      String reason = whyNot(configuration.access(), adjusted);
      if (reason == null) {
        reason = missing(info, phase);
      }
      if (reason != null) {
        return reason;
      }
    }
    return missing(configuration, info, experiment.paired());
  }

  /** The phases of an experiment that a configuration has: no whole scans by hand. */
  static List<PhaseSpec> phases(Configuration configuration, Experiment experiment) {
    return experiment.phases().stream()
        .filter(phase ->
            configuration.access() != Access.RAW || phase.operation() != Operation.SCAN_ALL)
        .toList();
  }

  private static @Nullable String whyNot(Access access, PhaseSpec phase) {
    String why = null;
    if (access != Access.SINGLE && phase.threads() > 1) {
      why = " has " + phase.threads() + " threads, and it belongs to one";
    } else if (access == Access.RAW && phase.operation() == Operation.SCAN) {
      why = " scans, and it has single operations only";
    } else if (access == Access.RAW && phase.batch() > 1) {
      why = " writes batches, and it has single operations only";
    } else if (access == Access.BATCH && phase.operation() == Operation.MIXED) {
      why = " reads what it has written, and a batch cannot be read";
    }
    return why == null
        ? null
        : "access = \"" + access.word() + "\" cannot run phase " + phase.name() + ", which" + why;
  }

  private static @Nullable String missing(EngineInfo info, PhaseSpec phase) {
    Set<Capability> capabilities = info.capabilities();
    String lacks = null;
    if (phase.operation() == Operation.SCAN && !capabilities.contains(Capability.ORDERED_SCAN)) {
      lacks = "ordered scan";
    } else if (phase.operation() == Operation.SCAN_ALL && !capabilities.contains(Capability.SCAN)) {
      lacks = "scan";
    } else if (phase.batch() > 1 && !capabilities.contains(Capability.BATCH)) {
      lacks = "batches";
    }
    return lacks == null
        ? null
        : "engine " + info.name() + " has no " + lacks + ", which phase " + phase.name() + " needs";
  }

  private @Nullable String missing(Configuration configuration, EngineInfo info, boolean paired) {
    Access access = configuration.access();
    Capability needed =
        switch (access) {
          case TRANSACTION -> Capability.PESSIMISTIC_TRANSACTION;
          case BATCH -> Capability.BATCH;
          case SINGLE, RAW -> null;
        };
    if (needed != null && !info.capabilities().contains(needed)) {
      return "engine "
          + info.name()
          + " has no "
          + needed.description()
          + ", which access = \""
          + access.word()
          + "\" needs";
    }
    return (paired || access == Access.RAW) && engines.baseline(info.name()) == null
        ? "engine " + info.name() + " comes without a baseline by hand"
        : null;
  }
}
