package io.kvstadium.bench.plan;

import io.kvstadium.bench.machine.PageCache;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.player.PlayerEngine;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.Operation.Trait;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Replay;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.trace.TraceWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Decides which configurations can run, so that none fails in its trials for a known reason. */
final class Eligibility {
  private final Languages languages;
  private final @Nullable String whyNotCold;

  /**
   * @param whyNotCold why no phase can begin cold here, or {@code null} if it can
   */
  Eligibility(Languages languages, @Nullable String whyNotCold) {
    this.languages = languages;
    this.whyNotCold = whyNotCold;
  }

  /**
   * Returns what can run on this machine, with stores below a directory that need not exist yet.
   */
  static Eligibility in(Path directory, Languages languages) {
    Path there = directory.toAbsolutePath();
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    return new Eligibility(
        languages,
        PageCache.drops(there)
            ? null
            : "caches cannot be dropped: that takes Linux, and a file system that is on a disk");
  }

  /** Why no phase can begin cold here, or {@code null} if it can. */
  @Nullable String whyNotCold() {
    return whyNotCold;
  }

  /**
   * How a configuration fits an experiment.
   *
   * @param phases those that it can run, as it can
   * @param missing the others, with the reason, for the reader of the report
   * @param notes what it does differently from the experiment, likewise
   * @param whyNot why it cannot run at all (then there are no phases), or {@code null}
   */
  record Fit(
      List<PhaseSpec> phases, List<String> missing, List<String> notes, @Nullable String whyNot) {
    Fit {
      phases = List.copyOf(phases);
      missing = List.copyOf(missing);
      notes = List.copyOf(notes);
    }

    private static Fit none(String reason) {
      return new Fit(List.of(), List.of(), List.of(), reason);
    }
  }

  /**
   * @param longestKey in bytes; of the user's own data an experiment knows the usual lengths only
   */
  Fit of(Configuration configuration, Experiment experiment, long longestKey) {
    boolean java = configuration.language().equals(Configuration.JAVA);
    String refused =
        java && configuration.access() == Access.RAW
            ? "access = \"raw\" is only for trials in other languages"
            : java ? null : notPlayed(configuration, longestKey);
    if (refused != null) {
      return Fit.none(refused);
    }
    Engines engines = languages.engines(configuration.language());
    Engine engine;
    try {
      engine = engines.engine(configuration.engine());
    } catch (BadArgumentException e) {
      return Fit.none(String.valueOf(e.getMessage()));
    }
    EngineInfo info = engine.info();
    // nothing is missing here for a store on a server; no trial waits for a download
    String whyNot = isOnServer(configuration) ? null : engine.unavailable();
    if (whyNot == null && !info.durability().containsKey(configuration.durability())) {
      whyNot = notOffered(engine, info, configuration.durability());
    }
    if (whyNot != null) {
      return Fit.none(whyNot);
    }
    Set<Capability> has;
    try {
      has = engine.capabilities(engines.config(configuration.url("…").toString()));
      engines.check(configuration.url("…").toString());
      engines.check(configuration.reopened().url("…").toString());
    } catch (BadArgumentException | UnsupportedException e) {
      return Fit.none(String.valueOf(e.getMessage()));
    }
    Fit fit = fit(configuration, info, has, experiment);
    whyNot =
        fit.whyNot() == null && !(engine instanceof PlayerEngine)
            ? missing(configuration.access(), info, has)
            : fit.whyNot();
    return whyNot == null ? fit : Fit.none(whyNot);
  }

  private static String notOffered(Engine engine, EngineInfo info, Durability level) {
    if (engine instanceof PlayerEngine player && player.isWithdrawn(level)) {
      String others =
          info.durability().keySet().stream()
              .map(Durability::word)
              .collect(Collectors.joining(", "));
      return "durability %s of %s is not offered, since a kill or a power cut broke it in torture; it has: %s"
          .formatted(level.word(), info.name(), others);
    }
    return "engine " + info.name() + " cannot give durability " + level.word();
  }

  private static boolean isOnServer(Configuration configuration) {
    return configuration.location().startsWith("//");
  }

  /** Why the player of a configuration cannot run it at all, or {@code null}. */
  private @Nullable String notPlayed(Configuration configuration, long longestKey) {
    String language = configuration.language();
    Engines own = languages.engines(language);
    if (!configuration.jvm().isEmpty()) {
      return "jvm is for trials in Java";
    } else if (!configuration.location().isEmpty()) {
      return "in " + language + " stores are in the trial's own directory";
    } else if (longestKey > TraceWriter.MAX_KEY) {
      return String.format(
          Locale.ROOT,
          "keys of more than %,d bytes are not played in %s",
          TraceWriter.MAX_KEY,
          language);
    } else if (!own.names().contains(configuration.engine())) {
      return "there is no engine "
          + configuration.engine()
          + " in "
          + language
          + "; there are: "
          + String.join(", ", own.names());
    }
    return own.engine(configuration.engine()) instanceof PlayerEngine engine
            && !engine.offers(configuration.access())
        ? "engine "
            + configuration.engine()
            + " has no access = \""
            + configuration.access().word()
            + "\" in "
            + language
        : null;
  }

  /** Why players leave a phase out, or {@code null}. */
  private static @Nullable String notPlayed(
      Set<String> plays, Configuration configuration, PhaseSpec phase) {
    PhaseSpec background = phase.background();
    boolean deletes =
        background != null
            && (phase.involves(Operation.DELETE) || background.involves(Operation.DELETE));
    String what =
        phase.replay() != null
            ? "replay a trace"
            : phase.involves(Operation.COMPUTE)
                ? "compute"
                : deletes
                    ? "delete beside other threads"
                    : background != null && !plays.contains("background")
                        ? "have a background load"
                        : phase.rate() != null && !plays.contains("rate")
                            ? "have a rate"
                            : phase.threads() > 1 && !plays.contains("threads")
                                ? "have several threads"
                                : null;
    return what == null
        ? null
        : "phases that " + what + " do not run in " + configuration.language();
  }

  /**
   * @param has what its stores can do
   */
  private Fit fit(
      Configuration configuration, EngineInfo info, Set<Capability> has, Experiment experiment) {
    List<PhaseSpec> phases = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    boolean loads = false;
    String notLoaded = null;
    for (PhaseSpec phase : experiment.phases()) {
      String refused = whyNot(configuration.access(), phase);
      if (refused != null) {
        return Fit.none(refused);
      }
      String reason = leftOut(configuration.access(), phase);
      if (reason == null && !configuration.language().equals(Configuration.JAVA)) {
        reason = notPlayed(languages.plays(configuration.language()), configuration, phase);
      }
      if (reason == null && phase.cold()) {
        reason =
            configuration.location().isEmpty()
                ? whyNotCold
                : "the caches of a store with its own location cannot be dropped";
      }
      if (reason == null) {
        reason = missing(info.name(), has, phase);
      }
      if (reason == null) {
        reason = notAtItsLevel(configuration, info, phase);
      }
      if (reason == null) {
        phases.add(adapted(has, phase, notes));
        loads |= phase.operation().loads();
      } else {
        missing.add("phase " + phase.name() + " is not measured: " + reason);
        notLoaded = phase.operation().loads() && notLoaded == null ? reason : notLoaded;
      }
    }
    if (phases.isEmpty()) {
      return Fit.none(String.join("; ", missing));
    }
    return notLoaded != null && !loads
        ? Fit.none(notLoaded)
        : new Fit(phases, missing, notes, null);
  }

  private static PhaseSpec adapted(Set<Capability> has, PhaseSpec phase, List<String> notes) {
    if (phase.operation() == Operation.INSERT && !has.contains(Capability.WRITE)) {
      notes.add(
          "phase "
              + phase.name()
              + " only loads, in bulk, and has no figure: the engine has no "
              + Capability.WRITE.description());
      return phase.withBatch(1);
    }
    if (phase.shape().batch() > 1 && !has.contains(Capability.BATCH)) {
      notes.add(
          "phase "
              + phase.name()
              + " is made of single writes: the engine has no "
              + Capability.BATCH.description());
      return phase.withBatch(1);
    }
    return phase;
  }

  /** Why a way of access cannot be compared in an experiment with such a phase, or {@code null}. */
  private static @Nullable String whyNot(Access access, PhaseSpec phase) {
    String why = null;
    boolean grouped = access == Access.TRANSACTION || access == Access.BATCH;
    if (access != Access.SINGLE && phase.operation() == Operation.REPLAY) {
      why = "has batches and transactions of its own";
    } else if (grouped && phase.background() != null) {
      why = "has a background load, and it belongs to one thread";
    } else if (grouped && phase.threads() > 1) {
      why = "has " + phase.threads() + " threads, and it belongs to one";
    } else if (grouped && phase.operation().is(Trait.OPENS)) {
      why = "opens the store itself";
    } else if (access == Access.BATCH && phase.operation().is(Trait.READS_ITS_WRITES)) {
      why = "reads what it has written, and a batch cannot be read";
    }
    return why == null
        ? null
        : "access = \"" + access.word() + "\" cannot run phase " + phase.name() + ", which " + why;
  }

  /** Why such a phase is left out for a way of access, or {@code null}. */
  private static @Nullable String leftOut(Access access, PhaseSpec phase) {
    return switch (access) {
      case TRANSACTION, BATCH ->
          phase.operation() == Operation.LOAD
              ? "a bulk load is neither transaction nor batch"
              : null;
      case SINGLE, RAW -> null;
    };
  }

  /** A phase at a level of its own needs an engine that gives it, and another level elsewhere. */
  private static @Nullable String notAtItsLevel(
      Configuration configuration, EngineInfo info, PhaseSpec phase) {
    Durability level = phase.durability();
    DurabilityMapping usual = info.durability().get(configuration.durability());
    DurabilityMapping own = level == null ? null : info.durability().get(level);
    if (level == null) {
      return null;
    }
    boolean asked = configuration.durability() == level;
    return own == null || own.effective() != level
        ? "engine " + info.name() + " does not give durability " + level.word()
        : asked && usual != null && usual.effective() == level
            ? "all phases of " + configuration.name() + " are at durability " + level.word()
            : null;
  }

  private static @Nullable String missing(String engine, Set<Capability> has, PhaseSpec phase) {
    if (phase.cold() && !has.contains(Capability.PERSISTENT)) {
      return "engine " + engine + " keeps nothing that could be cold";
    }
    Replay replay = phase.replay();
    for (Capability needed : replay == null ? List.<Capability>of() : replay.needs()) {
      if (!has.contains(needed)) {
        return "engine " + engine + " has no " + needed.description() + ", which the trace needs";
      }
    }
    PhaseSpec background = phase.background();
    // a load is done in bulk where nothing can be put
    boolean inBulk = phase.operation() == Operation.INSERT && has.contains(Capability.BULK_LOAD);
    return Stream.of(
            inBulk ? Stream.<Operation>of() : Stream.of(phase.operation()),
            phase.shape().mix().keySet().stream(),
            Stream.ofNullable(background).map(PhaseSpec::operation))
        .flatMap(each -> each)
        .map(Operation::needed)
        .filter(needed -> needed != null && !has.contains(needed))
        .findFirst()
        .map(needed -> "engine " + engine + " has no " + needed.description())
        .orElse(null);
  }

  private static @Nullable String missing(Access access, EngineInfo info, Set<Capability> has) {
    Capability needed =
        switch (access) {
          case TRANSACTION -> Capability.PESSIMISTIC_TRANSACTION;
          case BATCH -> Capability.BATCH;
          case SINGLE, RAW -> null;
        };
    return needed == null || has.contains(needed)
        ? null
        : "engine "
            + info.name()
            + " has no "
            + needed.description()
            + ", which access = \""
            + access.word()
            + "\" needs";
  }
}
