package io.kvstadium.bench.trial;

import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import java.nio.file.Path;

/** Where a trial's store is: opened, and made anew for the phases that want a new one. */
final class Place implements AutoCloseable {
  private final Opening opening;
  private final Configuration configuration;
  private final Path directory;
  private Target target;
  private boolean fresh = true;

  Place(Opening opening, Configuration configuration, Path directory) {
    this.opening = opening;
    this.configuration = configuration;
    this.directory = directory;
    this.target = opening.target(configuration, directory);
  }

  /** The store in the state that the phase wants. */
  Target targetFor(PhaseSpec spec) {
    if (spec.operation() == Operation.LOAD && !fresh) {
      target.close();
      opening.destroy(configuration, directory);
      target = opening.target(configuration, directory);
    }
    fresh = false;
    return target;
  }

  @Override
  public void close() {
    target.close();
  }
}
