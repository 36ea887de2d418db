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
import java.util.HashSet;
import java.util.LinkedHashMap;
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
   * What one phase took.
   *
   * @param cold whether files were dropped from memory before
   */
  private record Cell(boolean cold, String phase, long size, double nanos) {}

  private final Set<Long> sizes = new TreeSet<>();

  /** Whether several phases of one size are cold, or warm, so that their names tell them apart. */
  private final Set<Boolean> several = new HashSet<>();

  /** How caches were dropped → the largest share of any store's files that was in memory then. */
  private final Map<String, Double> residents = new LinkedHashMap<>();

  /** Head of a block → configuration → its phases. */
  private final Map<String, Map<String, List<Cell>>> blocks = new LinkedHashMap<>();

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
    Map<String, List<Cell>> block =
        blocks.computeIfAbsent(
            columns ? "" : FormFigures.head(experiment), _ -> new LinkedHashMap<>());
    List<String> phases = FormFigures.phases(List.of(experiment), OPERATIONS);
    for (ConfigurationResult each : experiment.configurations()) {
      List<Cell> cells =
          block.computeIfAbsent(FormFigures.label(experiment, each), _ -> new ArrayList<>());
      phases.forEach(phase -> take(each, phase, cells));
    }
  }

  private void take(ConfigurationResult configuration, String name, List<Cell> cells) {
    List<PhaseResult> phases = Trials.of(configuration, name).phases();
    if (phases.isEmpty()) {
      return;
    }
    PhaseResult first = phases.getFirst();
    long size = Math.round((double) first.entries() / first.operations());
    boolean cold = phases.stream().allMatch(phase -> phase.caches() != null);
    if (cells.stream().anyMatch(each -> each.cold == cold && each.size == size)) {
      several.add(cold);
    }
    sizes.add(size);
    cells.add(new Cell(cold, name, size, nanos(configuration, name)));
    for (PhaseResult phase : phases) {
      Caches caches = phase.caches();
      if (cold && caches != null) {
        residents.merge(caches.dropped(), caches.resident(), Math::max);
      }
    }
  }

  private String title(Cell cell) {
    String word = cell.cold ? "cold" : "warm";
    boolean says = cell.phase.toLowerCase(Locale.ROOT).contains(word);
    return !several.contains(cell.cold) ? word : says ? cell.phase : word + ", " + cell.phase;
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
      configurations.forEach((name, cells) -> {
        if (cells.isEmpty()) {
          rows.add(Row.of(name, sizes.stream().map(_ -> Table.MISSING).toList()));
        }
        Map<String, Map<Long, Double>> lines = new LinkedHashMap<>();
        cells.forEach(each ->
            lines.computeIfAbsent(title(each), _ -> new HashMap<>()).put(each.size, each.nanos));
        lines.forEach((title, line) -> rows.add(Row.of(name + ", " + title, cells(line))));
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
