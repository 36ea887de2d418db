package io.kvstadium.bench.suite;

import io.kvstadium.bench.data.Source;
import io.kvstadium.store.Durability;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a user changed in a suite, and where the results go.
 *
 * @param engines only these, by name; empty for all
 * @param trials instead of the suite's, or 0
 * @param budget seconds of the whole run, instead of the suite's budget or trials, or 0
 * @param scale factor of records and operations
 * @param durability for every configuration, instead of the suite's, or {@code null}
 * @param threads of every phase that can be shared, instead of the suite's, or 0
 * @param memory limit of each trial's process, page cache included, in bytes; 0 for none
 * @param seed of all keys, values and orders
 * @param out the directory of the run: results, and the stores while they are measured
 * @param strict whether a warning of the environment check stops the run
 * @param source the user's own data instead of generated, or {@code null}
 * @param command the command line, for the record
 */
public record Settings(
    List<String> engines,
    int trials,
    double budget,
    double scale,
    @Nullable Durability durability,
    int threads,
    long memory,
    long seed,
    Path out,
    boolean strict,
    @Nullable Source source,
    String command) {
  /** Name of the copy of the user's data in the run's directory. */
  public static final String DATA = "data.entries";

  public Settings {
    engines = List.copyOf(engines);
  }

  /** Returns a copy for another directory, which also has the copy of the data. */
  public Settings into(Path directory) {
    Source moved =
        source == null
            ? null
            : new Source(source.path(), directory.resolve(DATA).toAbsolutePath().toString());
    return new Settings(
        engines,
        trials,
        budget,
        scale,
        durability,
        threads,
        memory,
        seed,
        directory,
        strict,
        moved,
        command);
  }

  /** Returns a copy with data from another source. */
  public Settings with(Source newSource) {
    return new Settings(
        engines,
        trials,
        budget,
        scale,
        durability,
        threads,
        memory,
        seed,
        out,
        strict,
        newSource,
        command);
  }
}
