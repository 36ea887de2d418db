package io.kvstadium.bench.trial;

import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import java.nio.file.Path;

/** Opens configurations as targets. */
record Opening(Engines engines) {
  Target target(Configuration configuration, Path directory) {
    String url = TrialPlan.url(configuration, directory.toString());
    if (configuration.access() == Access.FILE) {
      return new FileTarget(directory);
    }
    if (configuration.access() == Access.RAW) {
      return new BaselineTarget(engines.openBaseline(url));
    }
    // Elsewhere there may be something already, which is not ours to work on.
    Store store =
        engines.open(url, OpenOptions.DEFAULT.errorIfExists(!configuration.location().isEmpty()));
    return configuration.access() == Access.SINGLE
        ? new StoreTarget(store)
        : new GroupedTarget(store, configuration.access());
  }

  void destroy(Configuration configuration, Path directory) {
    if (configuration.access() == Access.FILE) {
      FileTarget.destroy(directory);
    } else {
      engines.destroy(TrialPlan.url(configuration, directory.toString()));
    }
  }
}
