package io.kvstadium.bench.trial;

import io.kvstadium.bench.measure.operation.Target;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import java.nio.file.Path;

/** Opens configurations as targets. */
public record Opening(Engines engines) {
  /** Opens a new store, or, in a trial's own directory, one that this trial has made. */
  Target target(Configuration configuration, Path directory) {
    // Elsewhere there may be something already, which is not ours to work on.
    boolean elsewhere = !configuration.location().isEmpty();
    return open(configuration, directory, OpenOptions.DEFAULT.errorIfExists(elsewhere));
  }

  /** Opens a store that this trial has made. */
  Target again(Configuration configuration, Path directory) {
    return open(configuration, directory, OpenOptions.DEFAULT);
  }

  /** Opens a store that this trial has made, with the options for reading it. */
  Target reader(Configuration configuration, Path directory) {
    return again(configuration.reopened(), directory);
  }

  private Target open(Configuration configuration, Path directory, OpenOptions how) {
    String url = configuration.url(directory.toString()).toString();
    Store store = engines.open(url, how);
    return configuration.access() == Access.SINGLE
        ? new StoreTarget(store)
        : new GroupedTarget(store, configuration.access());
  }

  /** Returns whether the store is still there when it is opened again. */
  boolean keeps(Configuration configuration) {
    return engines
        .engine(configuration.engine())
        .info()
        .capabilities()
        .contains(Capability.PERSISTENT);
  }

  void destroy(Configuration configuration, Path directory) {
    engines.destroy(configuration.url(directory.toString()).toString());
  }
}
