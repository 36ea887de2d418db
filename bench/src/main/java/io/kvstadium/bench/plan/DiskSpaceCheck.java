package io.kvstadium.bench.plan;

import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.text.Units;
import io.kvstadium.store.Capability;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Whether the disk has room for the stores of an experiment.
 *
 * @param languages with the available engines
 * @param free bytes on the disk that the stores will be on
 */
public record DiskSpaceCheck(Languages languages, long free) {
  /** What a store may need for its data, copies while compacting, and logs, per byte of data. */
  static final int SPACE_FACTOR = 4;

  /**
   * Returns what is free where a directory is or will be, or the largest number if that is unknown
   * or means nothing, because no directory can be made there: then that must be said instead.
   */
  public static long free(Path directory) {
    Path there = directory.toAbsolutePath().normalize();
    while (!Files.isDirectory(there) && there.getParent() != null) {
      there = there.getParent();
    }
    try {
      FileStore store = Files.getFileStore(there);
      boolean holdsFiles = store.getTotalSpace() > 0 && !store.isReadOnly();
      return holdsFiles ? store.getUsableSpace() : Long.MAX_VALUE;
    } catch (IOException e) {
      return Long.MAX_VALUE; // the environment check will say that nothing is known of it
    }
  }

  /**
   * Returns why a configuration's store might not fit, or {@code null} if it will or is elsewhere.
   * Trials run one after the other and are removed, so that only one store counts.
   */
  @Nullable String whyNot(Configuration configuration, Experiment experiment) {
    boolean here =
        configuration.location().isEmpty()
            && languages
                .engine(configuration)
                .info()
                .capabilities()
                .contains(Capability.PERSISTENT);
    if (!here) {
      return null;
    }
    double needed = (double) experiment.data().approximateBytes() * SPACE_FACTOR;
    return needed <= free
        ? null
        : "needs about "
            + Units.bytes(needed)
            + ", "
            + Units.bytes(free)
            + " are free: free some, or use --out with another disk";
  }
}
