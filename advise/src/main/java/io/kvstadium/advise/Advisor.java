package io.kvstadium.advise;

import io.kvstadium.advise.Advice.Change;
import io.kvstadium.advise.Advice.Flip;
import io.kvstadium.advise.Advice.Gain;
import io.kvstadium.advise.Advice.Verdict;
import io.kvstadium.bench.plan.Plan;
import io.kvstadium.bench.plan.PlannedTrial;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.report.analysis.ComparisonGroup;
import io.kvstadium.bench.report.analysis.EngineChange;
import io.kvstadium.bench.report.analysis.Report;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.Results;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.bench.run.Campaign;
import io.kvstadium.bench.run.Executor;
import io.kvstadium.bench.run.LevelEvidence;
import io.kvstadium.bench.run.Resources;
import io.kvstadium.bench.run.Rounds;
import io.kvstadium.bench.run.Runner;
import io.kvstadium.bench.run.Watcher;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Suite;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.help.FileTrees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Finds what to take for a workload within a budget of time. */
public final class Advisor {
  /** What of the budget is over when the last few are known, and when they are measured. */
  private static final double HALVED = 0.45;

  private static final double MEASURED = 0.85;

  /** The longest that a phase of the last rounds takes. */
  private static final double SECONDS = 3;

  /** A trial of those takes more than one before by about this, and a run this to begin. */
  private static final double LONGER = 1.0;

  private static final double BEGIN = 5;

  private static final long HEAP = 512L << 20;

  private static final String CURRENT = "--current ";
  private static final Set<String> NOT_OF_A_STORE =
      Set.of(
          "durability",
          "read_only",
          "adopt",
          "incomplete",
          "record",
          "record_sample",
          "record_keys");

  private final Languages languages;
  private final Engines engines;
  private final Settings settings;
  private final Needs needs;
  private final Watcher watcher;
  private final double spent;
  private final Runner runner;
  private final List<String> ruledOut = new ArrayList<>();
  private final Set<String> notConsidered = new LinkedHashSet<>();
  private @Nullable Results results;

  /**
   * @param languages of which the first is that of all trials
   * @param settings with the budget and the directory of the run
   * @param spent seconds of the budget that are over
   * @param nanos the time in nanoseconds, from any origin
   */
  public Advisor(
      Languages languages,
      Settings settings,
      Executor executor,
      Needs needs,
      String version,
      Watcher watcher,
      double spent,
      LongSupplier nanos) {
    this.languages = languages;
    this.engines = engines(languages);
    this.settings = settings;
    this.needs = needs;
    this.watcher = watcher;
    this.spent = spent;
    this.runner =
        new Runner(languages, settings, executor, watcher, version, LevelEvidence.DECLARED, nanos);
  }

  private static Engines engines(Languages languages) {
    return languages.engines(languages.asked().getFirst());
  }

  /** Whether there are trials in the directory of a run, so that it can be resumed. */
  public static boolean hasTrials(Path directory) {
    return Files.exists(directory.resolve(Halving.file(1)));
  }

  /** Makes {@link #advise} throw a {@link java.util.concurrent.CancellationException} soon. */
  public void stop() {
    runner.stop();
  }

  /** The run of the last few, for a report, after {@link #advise}. */
  public Results results() {
    return Objects.requireNonNull(results);
  }

  /**
   * The configuration that a URL names, without what is no setting.
   *
   * @param url of the store in use, or the name of its engine
   * @throws BadArgumentException if there is no such engine or option
   */
  private static Candidate current(Engines engines, String url) {
    StoreUrl given = url.contains(":") ? StoreUrl.parse(url) : StoreUrl.of(url, "");
    EngineInfo info = engines.engine(given.engine()).info();
    if (given.location().startsWith("//")) {
      throw new BadArgumentException(
          CURRENT + url + ": stores on a server are not compared here: use bench --engines");
    }
    Map<String, String> options = new LinkedHashMap<>(given.options());
    options.keySet().removeAll(NOT_OF_A_STORE);
    engines.check(new StoreUrl(given.engine(), "…", options).toString());
    return new Candidate(info, options);
  }

  /**
   * Checks what a user has, before anything is read.
   *
   * @param url or {@code null}
   * @throws BadArgumentException if there is no such engine or option, or not that much memory
   */
  public static void check(
      Languages languages,
      Settings settings,
      Executor executor,
      Needs needs,
      @Nullable String url) {
    Engines engines = engines(languages);
    settings.engines().forEach(engines::engine);
    executor.check(Resources.of(HEAP, needs.memory()));
    if (url != null) {
      current(engines, url);
    }
  }

  /** Of all trials: what was asked for, else what is in use gives, else what the workload has. */
  private Durability level(Workload workload, @Nullable String url, @Nullable Candidate current) {
    if (settings.durability() != null) {
      return settings.durability();
    }
    String word =
        url != null && url.contains(":") ? StoreUrl.parse(url).options().get("durability") : null;
    Durability own = word != null ? Durability.of(word) : workload.durability();
    Durability level = own == null || own == Durability.ENGINE_DEFAULT ? Durability.PROCESS : own;
    return current == null ? level : current.effective(level);
  }

  /**
   * Measures, and answers.
   *
   * @param url of the store in use, or {@code null}
   * @throws BadArgumentException if nothing can be measured
   */
  public Advice advise(Workload workload, @Nullable String url) {
    Candidate current = url == null ? null : current(engines, url);
    Durability level = level(workload, url, current);
    List<EngineInfo> able = able(workload, level);
    if (current != null) {
      requireAble(workload, current, level);
    }
    List<Candidate> candidates =
        Candidate.of(able, workload.bytes(), workload.heap(), needs.memory());
    watcher.noted(candidates.size() + " candidates of " + able.size() + " engines");
    Work all = workload.full(SECONDS, needs);
    Plan largest = all.plan(languages, List.of(), level, needs.memory());
    try (Campaign campaign = runner.open(largest, Halving.file(1), spent)) {
      Question question =
          new Question(workload, languages, level, needs, campaign, watcher::begins);
      Halving halving = new Halving(question, current, spent);
      List<Candidate> last = new ArrayList<>(halving.best(candidates, HALVED * settings.budget()));
      noteFailures(halving);
      if (current != null && !last.contains(current)) {
        last.add(current);
      }
      if (last.isEmpty()) {
        throw new BadArgumentException("no trial gave a figure: " + String.join("; ", ruledOut));
      }
      Choice choice = measure(question, all, last, current, halving);
      Advice advice = answer(question, halving, last, current, choice);
      Files.deleteIfExists(settings.out().resolve(Settings.DATA)); // nothing resumes it
      return advice;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      removeParts();
    }
  }

  private void removeParts() {
    try {
      FileTrees.remove(settings.out().resolve("parts"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The engines that can run it; the others are noted. */
  private List<EngineInfo> able(Workload workload, Durability level) {
    Work work = workload.small(1, 1);
    Plan plan = work.plan(languages, List.of(), level, 0);
    ruledOut.addAll(Plan.LeftOut.lines(plan.leftOut()));
    if (!plan.legacy().isEmpty()) {
      notConsidered.add(Plan.withoutLegacy(plan.legacy()));
    }
    List<EngineInfo> able = new ArrayList<>();
    for (PlannedTrial each : plan.entrants()) {
      if (each.missing().isEmpty()) {
        able.add(engines.engine(each.configuration().engine()).info());
      } else {
        ruledOut.add(reason(each));
      }
    }
    if (able.isEmpty()) {
      throw new BadArgumentException(
          "no engine can do all of the workload: " + String.join("; ", ruledOut));
    }
    return able;
  }

  private static String reason(PlannedTrial entrant) {
    return entrant.configuration().name() + ": " + entrant.missing().getFirst();
  }

  private void requireAble(Workload workload, Candidate current, Durability level) {
    Durability own = current.effective(level);
    if (own != level) {
      throw new BadArgumentException(
          "%s%s gives durability %s for %s, so that its speed says nothing: give --durability %3$s"
              .formatted(CURRENT, current.name(), own.word(), level.word()));
    }
    Work work = workload.small(1, 1);
    try {
      Plan plan = work.plan(languages, List.of(current.on(1, level)), level, 0);
      PlannedTrial entrant = plan.entrants().getFirst();
      if (!entrant.missing().isEmpty()) {
        throw new BadArgumentException(reason(entrant));
      }
    } catch (BadArgumentException e) {
      throw new BadArgumentException(
          CURRENT + current.name() + " cannot be compared: " + e.getMessage() + ": leave it out",
          e);
    }
  }

  private void noteFailures(Halving halving) {
    halving
        .stages()
        .forEach(stage ->
            stage.outcomes().forEach((candidate, own) -> noteFailure(candidate.name(), own)));
    ruledOut.addAll(halving.refused());
    if (!halving.untried().isEmpty()) {
      notConsidered.add("for want of time: " + String.join(", ", halving.untried()));
    }
  }

  private void noteFailure(String name, Outcome own) {
    if (own.failure() != null) {
      ruledOut.add(name + ": " + own.failure());
    }
  }

  /** Measures the last few in rounds. */
  private Choice measure(
      Question question,
      Work all,
      List<Candidate> last,
      @Nullable Candidate current,
      Halving halving) {
    Workload workload = question.workload();
    double until = Math.max(halving.ended() + 1, MEASURED * settings.budget());
    double left = until - halving.ended();
    if (!workload.untried().isEmpty()) {
      notConsidered.add(workload.untried());
    }
    Suite suite = all.suite();
    int phases = suite.experiments().getFirst().phases().size();
    double trial =
        halving.secondsPerTrial() * (1 + LONGER) + (needs.rate() > 0 ? SECONDS * phases / 2 : 0);
    // a run has two rounds at least
    double round = trial * last.size();
    double needed = 2 * round * suite.experiments().size() + BEGIN;
    if (needed > left && suite.experiments().size() > 1) {
      suite = suite.withExperiments(suite.experiments().subList(0, 1));
      notConsidered.add(
          "other mixes and the busiest part: that takes a budget of about "
              + Math.round(needed / (MEASURED - HALVED) / 60 + 1)
              + "m");
    }
    // the best two and what is in use are always compared, however long that takes
    List<Candidate> optional = new ArrayList<>(last);
    optional.remove(current);
    optional.subList(0, Math.min(2, optional.size())).clear();
    while (!optional.isEmpty() && 2 * trial * last.size() + BEGIN > left) {
      Candidate worst = optional.removeLast();
      last.remove(worst);
      notConsidered.add("for want of time in the end: " + worst.name());
    }
    Work work = new Work(suite.withBudget(until), all.settings(), 1);
    List<Configuration> configurations =
        last.stream().map(each -> each.on(1, question.level())).toList();
    Plan plan = question.plan(work, configurations);
    watcher.noted("the last: " + String.join("; ", last.stream().map(Candidate::name).toList()));
    Results measured =
        question.measure(
            "the last",
            Runner.RESULTS,
            work,
            plan,
            new Rounds(
                plan,
                halving.ended(),
                each -> current != null && each.configuration().name().equals(current.name())));
    results = measured;
    Map<String, Measured> experiments = new LinkedHashMap<>();
    measured.experiments().forEach(each -> experiments.put(each.name(), Measured.of(each, needs)));
    experiments.values().forEach(each -> each.outcomes().forEach(this::noteFailure));
    Map<String, Candidate> candidates = new LinkedHashMap<>();
    last.forEach(each -> candidates.put(each.name(), each));
    return new Choice(experiments, candidates, current == null ? null : current.name(), needs);
  }

  /**
   * What each setting brings. One is taken if it was shown to help, or is in use: alone, in the
   * rounds against its engine as it comes; beside others, by leaving it out.
   */
  private static List<Advice.Setting> settings(
      Variations variations, Choice choice, Candidate best, boolean inUse) {
    Candidate usual = new Candidate(best.engine(), Map.of());
    boolean alone = best.settings().size() == 1 && choice.ran(usual.name());
    List<Advice.Setting> settings = new ArrayList<>();
    best.settings()
        .forEach((option, value) -> {
          Gain left = variations.gain(best, option);
          Gain gain = alone && !left.shown() ? choice.gain(best.name(), usual.name()) : left;
          settings.add(new Advice.Setting(option + "=" + value, gain, inUse || gain.shown()));
        });
    return settings;
  }

  /** What a change means, as a report of the last rounds has it. */
  private @Nullable Change change(@Nullable String now, String other) {
    ComparisonGroup group = Report.of(results()).sections().getFirst().groups().getFirst();
    Map<String, ConfigurationResult> ran = new LinkedHashMap<>();
    group.ran().forEach(each -> ran.put(each.name(), each));
    ConfigurationResult own = now == null ? null : ran.get(now);
    ConfigurationResult others = ran.get(other);
    if (own == null || others == null) {
      return null;
    }
    EngineChange change = new EngineChange(group, own, others);
    boolean several =
        group.overall() != null && group.order().containsAll(List.of(own.name(), other));
    return new Change(several ? change.gain() : "", change.lost());
  }

  private Advice answer(
      Question question,
      Halving halving,
      List<Candidate> last,
      @Nullable Candidate current,
      Choice choice) {
    String picked = choice.pick();
    List<String> order = choice.order();
    String now = current == null ? null : current.name();
    String subject = picked != null ? picked : order.getFirst();
    Candidate best =
        last.stream().filter(each -> each.name().equals(subject)).findFirst().orElseThrow();
    boolean keeps = picked != null && picked.equals(now);
    String rival = keeps ? choice.rival(subject) : null;
    String other =
        rival != null
            ? rival
            : now != null && !keeps
                ? now
                : order.stream().filter(each -> !each.equals(subject)).findFirst().orElse(null);
    Gain gain =
        other == null ? null : keeps ? choice.gain(other, subject) : choice.gain(subject, other);
    Variations variations = new Variations(question);
    variations.measure(best, last, settings.budget());
    List<Flip> flips = new ArrayList<>();
    if (picked != null) {
      flips.addAll(choice.flips(subject));
      flips.addAll(variations.flips(best, last));
      flips.add(Variations.twice(halving.stages(), best, last));
    }
    List<Advice.Setting> brought = settings(variations, choice, best, keeps);
    Candidate taken = best;
    for (Advice.Setting each : brought) {
      taken = each.taken() ? taken : taken.without(each.setting().split("=", 2)[0]);
    }
    boolean answered = picked != null && rival == null;
    Verdict verdict =
        picked == null
            ? Verdict.NONE
            : rival != null ? Verdict.UNDECIDED : keeps ? Verdict.KEEP : Verdict.TAKE;
    boolean changes = verdict == Verdict.TAKE || verdict == Verdict.UNDECIDED;
    Advice.Answer answer =
        new Advice.Answer(
            verdict,
            answered ? taken.name() : null,
            answered ? taken.url(question.level()) : null,
            now,
            choice.comparedBy(),
            gain == null || !keeps ? gain : gain.over(Objects.requireNonNull(other)),
            changes ? change(now, rival == null ? subject : rival) : null);
    return new Advice(
        answer,
        brought,
        choice.front(),
        flips,
        new Advice.Rejected(
            picked == null ? choice.giveUp() : List.of(),
            ruledOut.stream().distinct().toList(),
            List.copyOf(notConsidered)),
        new Advice.Basics(
            question.workload().description(),
            question.level().word(),
            choice.rounds(),
            question.campaign().elapsed(),
            settings.seed()));
  }
}
