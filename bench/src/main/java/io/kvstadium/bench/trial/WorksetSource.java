package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Workset;

/** Makes the data that a plan asks for. */
final class WorksetSource {
  private WorksetSource() {}

  static Workset of(TrialPlan plan) {
    return plan.data().workset(plan.seed());
  }
}
