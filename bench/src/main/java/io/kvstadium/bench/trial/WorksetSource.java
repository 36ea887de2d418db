package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.DatasetIndex;
import io.kvstadium.bench.data.DatasetWorkset;
import io.kvstadium.bench.data.EntryFile;
import io.kvstadium.bench.data.Source;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;

/** Makes the data that a plan asks for. */
public final class WorksetSource {
  private WorksetSource() {}

  /** If a phase is not limited by operations: new keys for each loaded one, and some more. */
  private static final long ROOM_FACTOR = 4;

  private static final long MIN_ROOM = 4_000_000;

  /** How many entries phases may add to those that are loaded. */
  static long extra(TrialPlan plan) {
    long extra = 0;
    for (PhaseSpec phase : plan.phases()) {
      double share = phase.shape().mix().getOrDefault(Operation.INSERT, 0.0);
      if (share > 0) {
        long max =
            phase.operations() > 0
                ? phase.operations()
                : phase.seconds() > 0
                    ? Math.max(MIN_ROOM, ROOM_FACTOR * plan.data().records())
                    : plan.data().records();
        extra += max + phase.threads();
      }
    }
    return extra;
  }

  /** Reads the user's own data once, to know its keys; generates any other. */
  public static Workset of(TrialPlan plan) {
    Source source = plan.source();
    if (source == null) {
      return plan.data().workset(plan.seed(), extra(plan));
    }
    EntryFile dataset = source.dataset();
    return new DatasetWorkset(
        dataset, DatasetIndex.build(dataset, DatasetIndex.Limits.DEFAULT, plan.seed()));
  }
}
