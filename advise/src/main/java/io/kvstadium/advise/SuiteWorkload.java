package io.kvstadium.advise;

import io.kvstadium.bench.data.SampledEntries;
import io.kvstadium.bench.data.Source;
import io.kvstadium.bench.plan.UserData;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.run.DataCopy;
import io.kvstadium.bench.suite.Additions;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Rate;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A suite of one experiment, perhaps on the user's own entries; other seeds for the end. */
public final class SuiteWorkload implements Workload {
  private static final double LESS_READS = 0.2;

  private final Suite suite;
  private final Experiment experiment;
  private final Settings settings;
  private final boolean hasMix;

  /**
   * @param settings with the copy of the user's own entries, if there are any
   */
  public SuiteWorkload(Suite suite, Settings settings) {
    check(suite);
    Experiment only = suite.experiments().getFirst();
    Source source = settings.source();
    this.suite = suite;
    this.settings = settings;
    this.experiment =
        (source == null
                ? only
                : only.withData(UserData.read(source.dataset(), settings.seed()).shape()))
            .withConfigurations(List.of())
            .withPhases(counted(only.phases()));
    this.hasMix =
        !experiment.phases().stream()
            .map(SuiteWorkload::shifted)
            .toList()
            .equals(experiment.phases());
  }

  /** Without the phases that no figure counts, so that they rule no engine out. */
  private static List<PhaseSpec> counted(List<PhaseSpec> phases) {
    List<PhaseSpec> own = phases.stream().filter(each -> each.durability() == null).toList();
    int end = own.size();
    if (!own.stream().allMatch(each -> each.operation().loads())) {
      while (own.get(end - 1).operation() == Operation.LOAD) {
        end--;
      }
    }
    return own.subList(0, end);
  }

  /**
   * Checks that it is one workload.
   *
   * @throws BadArgumentException if it is not
   */
  public static void check(Suite suite) {
    if (suite.experiments().size() != 1) {
      throw new BadArgumentException(
          "advise takes one workload, and the suite "
              + suite.name()
              + " has "
              + suite.experiments().size()
              + " experiments: name another suite, or write one of them to a file of your own");
    }
  }

  @Override
  public String description() {
    Source source = settings.source();
    return String.format(
        Locale.ROOT,
        "suite %s, %,d entries%s",
        suite.name(),
        records(),
        source == null ? "" : " of " + source.path());
  }

  @Override
  public long records() {
    return experiment.data().records();
  }

  @Override
  public long bytes() {
    return experiment.data().approximateBytes();
  }

  @Override
  public long heap() {
    return suite.heap();
  }

  @Override
  public @Nullable Durability durability() {
    return null;
  }

  @Override
  public String untried() {
    return hasMix ? "" : "more writes (the suite has no phase that mixes reads and writes)";
  }

  @Override
  public Work small(int oneOf, double seconds) {
    Settings own = settings;
    Source source = settings.source();
    if (source != null && oneOf > 1) {
      Path there = settings.out().resolve("parts").resolve("one-of-" + oneOf);
      Settings part = settings.into(there);
      own =
          Files.exists(there.resolve(Settings.DATA))
              ? part
              : DataCopy.make(part, new SampledEntries(source.dataset(), oneOf), _ -> {});
      Source sampled = own.source();
      own = settings.with(copy -> copy.source = sampled);
    } else if (source == null) {
      own = scaled(1.0 / oneOf, settings.seed());
    }
    Experiment only =
        experiment.withPhases(
            experiment.phases().stream().map(each -> bounded(each, seconds)).toList());
    return new Work(with(List.of(only)), own, 1.0 / oneOf);
  }

  @Override
  public Work full(double seconds, Needs needs) {
    List<PhaseSpec> phases =
        experiment.phases().stream().map(each -> bounded(each, seconds)).toList();
    List<Experiment> all = new ArrayList<>();
    all.add(experiment.withPhases(phases));
    if (hasMix) {
      all.add(
          experiment
              .named("with 20 % fewer reads")
              .withPhases(phases.stream().map(SuiteWorkload::shifted).toList()));
    }
    Suite made = with(all);
    if (needs.rate() > 0) {
      made = Additions.atRate(made, new Rate(needs.rate(), needs.limit()));
    }
    return new Work(made, scaled(1, settings.seed() + 1), 1);
  }

  private Suite with(List<Experiment> experiments) {
    return new Suite("advise", "", 1, 0, suite.heap(), experiments);
  }

  /** The settings, with generated data of this share and from another seed. */
  private Settings scaled(double share, long seed) {
    return settings.with(copy -> {
      copy.budget = 0;
      copy.scale = share;
      copy.seed = seed;
    });
  }

  /** The phase with an end, if it can have one. */
  private PhaseSpec bounded(PhaseSpec phase, double seconds) {
    if (phase.operation().whole() || phase.operation() == Operation.DELETE) {
      return phase;
    }
    long operations =
        phase.operations() == 0 && phase.seconds() == 0 ? records() : phase.operations();
    return phase.sized(
        operations, phase.seconds() == 0 ? seconds : Math.min(seconds, phase.seconds()));
  }

  /** The phase with fewer reads and more writes in its mix. */
  private static PhaseSpec shifted(PhaseSpec phase) {
    Map<Operation, Double> mix = phase.shape().mix();
    double reads =
        mix.entrySet().stream()
            .filter(each -> !each.getKey().writes(phase.shape()))
            .mapToDouble(Map.Entry::getValue)
            .sum();
    if (reads <= 0 || reads >= 1) {
      return phase;
    }
    Map<Operation, Double> other = new EnumMap<>(Operation.class);
    double more = (1 - reads * (1 - LESS_READS)) / (1 - reads);
    mix.forEach((operation, share) ->
        other.put(operation, share * (operation.writes(phase.shape()) ? more : 1 - LESS_READS)));
    return phase.withShape(phase.shape().withMix(other));
  }
}
