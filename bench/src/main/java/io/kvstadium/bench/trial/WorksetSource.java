package io.kvstadium.bench.trial;

import io.kvstadium.bench.data.Dataset;
import io.kvstadium.bench.data.DatasetIndex;
import io.kvstadium.bench.data.DatasetOptions;
import io.kvstadium.bench.data.DatasetWorkset;
import io.kvstadium.bench.data.Workset;
import java.nio.file.Path;

/** Makes the data that a plan asks for. */
final class WorksetSource {
  private WorksetSource() {}

  /** Reads the user's own data once, to know its keys; generates any other. */
  static Workset of(TrialPlan plan) {
    Source source = plan.source();
    if (source == null) {
      return plan.data().workset(plan.seed());
    }
    Dataset dataset = Dataset.open(Path.of(source.path()), DatasetOptions.of(source.key()));
    return new DatasetWorkset(
        dataset, DatasetIndex.build(dataset, DatasetIndex.Limits.DEFAULT, plan.seed()));
  }
}
