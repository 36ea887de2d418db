package io.kvstadium.advise;

import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.store.Durability;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.OptionSpec;
import io.kvstadium.store.engine.declare.OptionSpec.Tuning;
import io.kvstadium.store.engine.declare.Options;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An engine with settings.
 *
 * @param settings options by name, for all of the data; those that are missing have their defaults
 */
record Candidate(EngineInfo engine, Map<String, String> settings) {
  private static final String DATA = "data";
  private static final long MIB = 1 << 20;

  /** A setting that brings less than this alone is left out of those that are tried together. */
  private static final double HELPED = 1.03;

  /** Less than this is not a cache. */
  private static final long MIN_CACHE = 64 << 10;

  Candidate {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  /**
   * Each engine as it comes, then each with one other setting, engine by engine in turn.
   *
   * @param data bytes of all entries
   * @param heap bytes of a trial's heap
   * @param memory limit of a trial's memory, or 0
   */
  static List<Candidate> of(Collection<EngineInfo> engines, long data, long heap, long memory) {
    List<List<Candidate>> tuned = new ArrayList<>();
    List<Candidate> all = new ArrayList<>();
    for (EngineInfo engine : engines) {
      Candidate usual = new Candidate(engine, Map.of());
      all.add(usual);
      List<Candidate> own = new ArrayList<>();
      for (OptionSpec option : engine.options()) {
        Tuning tuning = option.tuning();
        if (tuning == null) {
          continue;
        }
        for (String each : tuning.alternatives()) {
          long most = tuning.onHeap() ? heap / 2 : memory > 0 ? memory / 2 : Long.MAX_VALUE / 2;
          String value = value(tuning, each, data, most);
          if (value != null) {
            own.add(usual.with(option.name(), value));
          }
        }
      }
      tuned.add(own.stream().distinct().toList());
    }
    int longest = tuned.stream().mapToInt(List::size).max().orElse(0);
    for (int i = 0; i < longest; i++) {
      for (List<Candidate> own : tuned) {
        if (i < own.size()) {
          all.add(own.get(i));
        }
      }
    }
    return all;
  }

  /** A value as it is written, or {@code null} if it is no more than the usual one. */
  private static @Nullable String value(Tuning tuning, String declared, long data, long most) {
    if (!declared.startsWith(DATA)) {
      return declared;
    }
    String part = declared.substring(DATA.length());
    long wanted = part.isEmpty() ? data : data / Long.parseLong(part.substring(1));
    long bytes = Long.highestOneBit(Math.max(MIB, Math.min(2 * wanted - 1, most)));
    return bytes <= Options.parseSize(tuning.usual()) ? null : (bytes >> 20) + "m";
  }

  Candidate with(String option, String value) {
    Map<String, String> changed = new LinkedHashMap<>(settings);
    changed.put(option, value);
    return new Candidate(engine, changed);
  }

  Candidate without(String option) {
    Map<String, String> changed = new LinkedHashMap<>(settings);
    changed.remove(option);
    return new Candidate(engine, changed);
  }

  /** Such as {@code rocksdb block_size=16k}. */
  String name() {
    return settings.isEmpty()
        ? engine.name()
        : engine.name()
            + settings.entrySet().stream()
                .map(each -> " " + each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining());
  }

  /** The URL to paste. */
  String url(Durability level) {
    return new StoreUrl(engine.name(), "data/app", settings)
        .with("durability", level.word())
        .toString();
  }

  /** The level that it has where one is asked for; that one if it cannot. */
  Durability effective(Durability level) {
    DurabilityMapping own = engine.durability().get(level);
    return own == null ? level : own.effective();
  }

  /** Whether it has amounts that grow with the data. */
  boolean hasAmounts() {
    return engine.options().stream().anyMatch(Candidate::isAmount);
  }

  private static boolean isAmount(OptionSpec option) {
    Tuning tuning = option.tuning();
    return tuning != null && !tuning.usual().isEmpty();
  }

  /**
   * What is measured on a share of the data, with the same share of caches and buffers.
   *
   * @param share 1 for all
   */
  Configuration on(double share, Durability level) {
    Map<String, String> options = new LinkedHashMap<>(settings);
    for (OptionSpec option : engine.options()) {
      Tuning tuning = option.tuning();
      if (tuning != null && isAmount(option) && share < 1) {
        String full = settings.getOrDefault(option.name(), tuning.usual());
        long bytes = Math.round(Options.parseSize(full) * share);
        if (bytes > 0) {
          long unit = tuning.onHeap() ? MIB : MIN_CACHE; // mvstore takes whole megabytes
          options.put(option.name(), Long.toString(Math.ceilDiv(bytes, unit) * unit));
        }
      }
    }
    return new Configuration(name(), engine.name(), options, level, Access.SINGLE, "equal");
  }

  /**
   * Each engine's settings that were better than its defaults, together.
   *
   * @param speeds of those that were tried
   */
  static List<Candidate> combined(Map<Candidate, Double> speeds) {
    Map<String, Candidate> combined = new LinkedHashMap<>();
    speeds.entrySet().stream()
        .sorted(Map.Entry.<Candidate, Double>comparingByValue().reversed())
        .map(Map.Entry::getKey)
        .filter(each -> !each.settings.isEmpty())
        .filter(each -> {
          Double usual = speeds.get(new Candidate(each.engine, Map.of()));
          return usual == null || speeds.getOrDefault(each, 0.0) > HELPED * usual;
        })
        .forEach(each ->
            combined.merge(
                each.engine.name(),
                each,
                (all, next) -> {
                  Map<String, String> both = new LinkedHashMap<>(next.settings);
                  both.putAll(all.settings); // the better one's
                  return new Candidate(all.engine, both);
                }));
    return combined.values().stream().filter(each -> !speeds.containsKey(each)).toList();
  }

  /** Its own engine, by name alone: what an engine declares has no equality. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Candidate each
        && each.engine.name().equals(engine.name())
        && each.settings.equals(settings);
  }

  @Override
  public int hashCode() {
    return 31 * engine.name().hashCode() + settings.hashCode();
  }
}
