package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Table.Rows;
import io.kvstadium.bench.result.Caches;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.Latencies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Milliseconds that a request for many keys takes, by their number, cold and warm. */
final class MultiGetForm {
  /** The parameter of a sweep over the size of requests, whose points are columns, not blocks. */
  private static final String KEYS = "keys";

  /**
   * What stands in a row.
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

  /** Head of a block → configuration → what stands in a row → trials by keys per request. */
  private final Map<String, Map<String, Map<Variant, Map<Long, Trials>>>> blocks =
      new LinkedHashMap<>();

  private MultiGetForm() {}

  static List<PublishedTable> tables(List<ExperimentResult> experiments) {
    MultiGetForm form = new MultiGetForm();
    experiments.forEach(form::take);
    List<Column<Map<Long, Trials>>> columns = new ArrayList<>();
    form.sizes.forEach(
        size -> columns.add(Column.of(Units.number((double) size), row -> millis(row.get(size)))));
    List<Rows> rows = new ArrayList<>();
    form.blocks.forEach((head, lines) -> rows.add(new Rows(head, form.rows(columns, lines))));
    List<String> remarks = new ArrayList<>(PublishedTable.reasons(experiments));
    form.residents.forEach((dropped, resident) -> remarks.add(coldness(dropped, resident)));
    return List.of(
        new PublishedTable(
            "milliseconds per request, by keys per request",
            "Medians over the requests of all trials; with fewer than 20 of them, over the means of"
                + " trials.",
            Column.heads(columns),
            rows,
            remarks));
  }

  private void take(ExperimentResult experiment) {
    boolean columns = experiment.point() != null && experiment.point().parameter().equals(KEYS);
    String head = columns ? "" : PublishedTable.head(experiment);
    for (ConfigurationResult each : experiment.configurations()) {
      Map<Variant, Map<Long, Trials>> lines =
          blocks
              .computeIfAbsent(head, _ -> new LinkedHashMap<>())
              .computeIfAbsent(PublishedTable.label(experiment, each), _ -> new LinkedHashMap<>());
      for (String phase : PublishedTable.phases(List.of(experiment), List.of("multi-get"))) {
        Trials own = Trials.of(each, phase);
        if (!own.isEmpty()) {
          take(own, lines);
        }
      }
    }
  }

  private void take(Trials own, Map<Variant, Map<Long, Trials>> lines) {
    PhaseResult first = own.phases().iterator().next();
    long size = Math.round((double) first.entries() / first.operations());
    boolean cold = own.all(phase -> phase.caches() != null);
    // without the number of keys, so that phases of one kind meet in a row
    String stem =
        own.phase()
            .replace(Units.number((double) size), "")
            .replaceAll("(?<!\\d)" + size + "(?!\\d)", "")
            .replaceAll("\\s+", " ")
            .strip();
    Variant variant = new Variant(cold, stem);
    sizes.add(size);
    variants.add(variant);
    lines.computeIfAbsent(variant, _ -> new LinkedHashMap<>()).put(size, own);
    for (Caches caches : cold ? own.each(PhaseResult::caches) : List.<Caches>of()) {
      residents.merge(caches.dropped(), caches.resident(), Math::max);
    }
  }

  private List<Table.Row> rows(
      List<Column<Map<Long, Trials>>> columns, Map<String, Map<Variant, Map<Long, Trials>>> block) {
    List<Table.Row> rows = new ArrayList<>();
    block.forEach((name, lines) -> {
      if (lines.isEmpty()) {
        rows.add(Column.row(columns, Map.of(), Table.Row.of(name)));
      }
      lines.forEach((variant, line) -> {
        Table.Row row = Table.Row.of(name + ", " + variant.title(variants));
        rows.add(Column.row(columns, line, row));
      });
    });
    return rows;
  }

  private static String millis(@Nullable Trials own) {
    if (own == null) {
      return Table.MISSING;
    }
    Latencies latencies = own.latencies();
    Long middle = latencies == null ? null : latencies.at(0.5);
    return Units.millis(
        middle != null ? middle : own.median(each -> each.nanosPerOperation() * each.threads()));
  }

  private static String coldness(String dropped, double resident) {
    String way =
        dropped.equals("none")
            ? "cold: the store was opened anew, but no cache could be dropped"
            : "cold: dropped from memory by " + dropped;
    String most = Units.percent(Math.ceil(resident * 100) / 100);
    return resident < 0
        ? way + "; what remained is unknown"
        : way + "; at most " + most + " of the files remained";
  }
}
