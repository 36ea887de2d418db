package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Table.Row;
import io.kvstadium.bench.report.Table.Rows;
import io.kvstadium.bench.result.Caches;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.Latencies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Milliseconds that a request for many keys takes, by their number, cold and warm. */
final class MultiGetForm {
  private static final List<String> OPERATIONS = List.of("multi-get");

  /** The parameter of a sweep over the size of requests, whose points are columns, not blocks. */
  private static final String KEYS = "keys";

  /**
   * A kind of phase that was run at several sizes.
   *
   * @param cold whether files were dropped from memory before
   * @param stem the phase's name without its size
   */
  private record Variant(boolean cold, String stem) {
    String title(Set<Variant> all) {
      String word = cold ? "cold" : "warm";
      boolean alone = all.stream().filter(each -> each.cold == cold).count() == 1;
      boolean says = stem.toLowerCase(Locale.ROOT).contains(word);
      return alone ? word : says ? stem : Words.join(", ", word, stem);
    }
  }

  private final Set<Long> sizes = new TreeSet<>();
  private final Set<Variant> variants = new LinkedHashSet<>();

  /** How caches were dropped → the largest share of any store's files that was in memory then. */
  private final Map<String, Double> residents = new LinkedHashMap<>();

  /** Head of a block → configuration → kind of phase → nanoseconds by keys per request. */
  private final Map<String, Map<String, Map<Variant, Map<Long, Double>>>> blocks =
      new LinkedHashMap<>();

  private MultiGetForm() {}

  static List<PublishedTable> tables(List<ExperimentResult> experiments) {
    MultiGetForm form = new MultiGetForm();
    experiments.forEach(form::take);
    List<String> remarks = new ArrayList<>(FormFigures.reasons(experiments));
    form.residents.forEach((dropped, resident) -> remarks.add(coldness(dropped, resident)));
    return List.of(
        new PublishedTable(
            "milliseconds per request, by keys per request",
            "Medians over the requests of all trials; with fewer than 20 of them, over the means of"
                + " trials.",
            "configuration",
            form.sizes.stream().map(size -> String.format(Locale.ROOT, "%,d", size)).toList(),
            form.blocks(),
            remarks));
  }

  private void take(ExperimentResult experiment) {
    boolean columns = experiment.point() != null && experiment.point().parameter().equals(KEYS);
    Map<String, Map<Variant, Map<Long, Double>>> block =
        blocks.computeIfAbsent(
            columns ? "" : FormFigures.head(experiment), _ -> new LinkedHashMap<>());
    List<String> phases = FormFigures.phases(List.of(experiment), OPERATIONS);
    for (ConfigurationResult each : experiment.configurations()) {
      Map<Variant, Map<Long, Double>> lines =
          block.computeIfAbsent(FormFigures.label(experiment, each), _ -> new LinkedHashMap<>());
      phases.forEach(phase -> take(each, phase, lines));
    }
  }

  private void take(
      ConfigurationResult configuration, String name, Map<Variant, Map<Long, Double>> lines) {
    List<PhaseResult> phases = Trials.of(configuration, name).phases();
    if (phases.isEmpty()) {
      return;
    }
    PhaseResult first = phases.getFirst();
    long size = Math.round((double) first.entries() / first.operations());
    boolean cold = phases.stream().allMatch(phase -> phase.caches() != null);
    Variant variant = new Variant(cold, stem(name, size));
    sizes.add(size);
    variants.add(variant);
    lines.computeIfAbsent(variant, _ -> new HashMap<>()).put(size, nanos(configuration, name));
    for (PhaseResult phase : phases) {
      Caches caches = phase.caches();
      if (cold && caches != null) {
        residents.merge(caches.dropped(), caches.resident(), Math::max);
      }
    }
  }

  /** The name without the number of keys, so that phases of one kind meet in a row. */
  private static String stem(String name, long size) {
    return name.replace(String.format(Locale.ROOT, "%,d", size), "")
        .replaceAll("(?<!\\d)" + size + "(?!\\d)", "")
        .replaceAll("\\s+", " ")
        .strip();
  }

  private static double nanos(ConfigurationResult configuration, String phase) {
    Latencies latencies = FormFigures.latencies(configuration, phase);
    Long middle = latencies == null ? null : latencies.at(0.5);
    return middle != null
        ? middle
        : FormFigures.median(
            configuration, phase, each -> each.nanosPerOperation() * each.threads());
  }

  private static String coldness(String dropped, double resident) {
    String way =
        dropped.equals("none")
            ? "cold: the store was opened anew, but no cache could be dropped"
            : "cold: dropped from memory by " + dropped;
    return way
        + (resident < 0
            ? "; what remained is unknown"
            : "; at most "
                + Units.percent(Math.ceil(resident * 100) / 100)
                + " of the files remained");
  }

  private List<Rows> blocks() {
    List<Rows> list = new ArrayList<>();
    blocks.forEach((head, configurations) -> {
      List<Row> rows = new ArrayList<>();
      configurations.forEach((name, lines) -> {
        if (lines.isEmpty()) {
          rows.add(Row.of(name, sizes.stream().map(_ -> Table.MISSING).toList()));
        }
        lines.forEach((variant, line) ->
            rows.add(Row.of(name + ", " + variant.title(variants), cells(line))));
      });
      list.add(new Rows(head, rows));
    });
    return list;
  }

  private List<String> cells(Map<Long, Double> line) {
    return sizes.stream()
        .map(size -> FormFigures.millis(line.getOrDefault(size, Double.NaN)))
        .toList();
  }
}
