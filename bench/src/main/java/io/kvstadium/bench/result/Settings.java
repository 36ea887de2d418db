package io.kvstadium.bench.result;

import io.kvstadium.bench.data.Source;
import io.kvstadium.store.Durability;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
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
 * @param slices whether the trials of a round share the time in turns; {@code null} if not, too
 * @param source the user's own data instead of generated, or {@code null}
 * @param before folders of engines whose versions are compared with those of the run, each in the
 *     same rounds; {@code null} if there are none
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
    @Nullable Boolean slices,
    @Nullable Source source,
    @Nullable String before,
    String command) {
  /** Name of the copy of the user's data in the run's directory. */
  public static final String DATA = "data.entries";

  public Settings {
    engines = List.copyOf(engines);
  }

  /** Everything installed, as the suite says. */
  public static Settings of(Path out, String command) {
    return new Settings(List.of(), 0, 0, 1, null, 0, 0, 1, out, false, null, null, null, command);
  }

  /** Returns a copy for another directory, which also has the copy of the data. */
  public Settings into(Path directory) {
    return with(copy -> {
      copy.out = directory;
      if (source != null) {
        String moved = directory.resolve(DATA).toAbsolutePath().toString();
        copy.source = new Source(source.path(), moved);
      }
    });
  }

  /** Returns a changed copy. */
  public Settings with(Consumer<Copy> changes) {
    Copy copy = new Copy(this);
    changes.accept(copy);
    return copy.made();
  }

  /** A copy in the making: the same names, to be assigned. */
  public static final class Copy {
    public List<String> engines;
    public int trials;
    public double budget;
    public double scale;
    public @Nullable Durability durability;
    public int threads;
    public long memory;
    public long seed;
    public Path out;
    public boolean strict;
    public @Nullable Boolean slices;
    public @Nullable Source source;
    public @Nullable String before;
    public String command;

    private Copy(Settings of) {
      engines = of.engines;
      trials = of.trials;
      budget = of.budget;
      scale = of.scale;
      durability = of.durability;
      threads = of.threads;
      memory = of.memory;
      seed = of.seed;
      out = of.out;
      strict = of.strict;
      slices = of.slices;
      source = of.source;
      before = of.before;
      command = of.command;
    }

    private Settings made() {
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
          slices,
          source,
          before,
          command);
    }
  }
}
