package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Table.Rows;
import io.kvstadium.bench.result.Caches;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.stats.Latencies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The time that a request for many keys takes, in milliseconds, by number of keys, cold and warm.
 */
final class MultiGetForm {
  /** The parameter of a sweep over the size of requests, whose points are columns, not blocks. */
  private static final String KEYS = "keys";

  /** A phase, and whether it began cold, with files dropped from memory. */
  private record Request(boolean cold, long size, Trials trials) {}

  private final Set<Long> sizes = new TreeSet<>();

  /** Whether several phases of one size are cold, or warm, and must be distinguished by name. */
  private final Set<Boolean> several = new HashSet<>();

  /** How caches were dropped → the largest share of any store's files that was still in memory. */
  private final Map<String, Double> residents = new LinkedHashMap<>();

  /** Head of a block → configuration → its phases. */
  private final Map<String, Map<String, List<Request>>> blocks = new LinkedHashMap<>();

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
      List<Request> requests =
          blocks
              .computeIfAbsent(head, _ -> new LinkedHashMap<>())
              .computeIfAbsent(PublishedTable.label(experiment, each), _ -> new ArrayList<>());
      for (String phase : PublishedTable.phases(List.of(experiment), List.of("multi-get"))) {
        Trials own = Trials.of(each, phase);
        if (!own.isEmpty()) {
          take(own, requests);
        }
      }
    }
  }

  private void take(Trials own, List<Request> requests) {
    PhaseResult first = own.phases().iterator().next();
    long size = Math.round((double) first.entries() / first.operations());
    boolean cold = own.all(phase -> phase.caches() != null);
    if (requests.stream().anyMatch(each -> each.cold == cold && each.size == size)) {
      several.add(cold);
    }
    sizes.add(size);
    requests.add(new Request(cold, size, own));
    for (Caches caches : cold ? own.each(PhaseResult::caches) : List.<Caches>of()) {
      residents.merge(caches.dropped(), caches.resident(), Math::max);
    }
  }

  private List<Table.Row> rows(
      List<Column<Map<Long, Trials>>> columns, Map<String, List<Request>> block) {
    List<Table.Row> rows = new ArrayList<>();
    block.forEach((name, requests) -> {
      Map<String, Map<Long, Trials>> lines = new LinkedHashMap<>();
      for (Request each : requests) {
        String line = name + ", " + title(each);
        lines.computeIfAbsent(line, _ -> new LinkedHashMap<>()).put(each.size, each.trials);
      }
      if (lines.isEmpty()) {
        lines.put(name, Map.of());
      }
      lines.forEach((line, own) -> rows.add(Column.row(columns, own, Table.Row.of(line))));
    });
    return rows;
  }

  private String title(Request own) {
    String word = own.cold ? "cold" : "warm";
    String phase = own.trials.phase();
    boolean says = phase.toLowerCase(Locale.ROOT).contains(word);
    return !several.contains(own.cold) ? word : says ? phase : word + ", " + phase;
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
            ? "cold: the store was reopened, but no cache could be dropped"
            : "cold: files dropped from memory by " + dropped;
    String most = Units.percent(Math.ceil(resident * 100) / 100);
    return resident < 0
        ? way + "; how much of them stayed there is unknown"
        : way + "; at most " + most + " of their bytes stayed there";
  }
}
