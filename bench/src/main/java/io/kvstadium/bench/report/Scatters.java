package io.kvstadium.bench.report;

import io.kvstadium.bench.report.Charts.Cost;
import io.kvstadium.bench.report.Charts.Latency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Latency against cost in all ways that any two configurations have figures for. */
final class Scatters {
  private Scatters() {}

  /** {@code null} if there is none. At first, the one with the most configurations is shown. */
  static Block.@Nullable Choices of(
      ExperimentReport section, ComparisonGroup group, List<String> names) {
    Map<String, String> latencies = new LinkedHashMap<>();
    Map<String, String> phases = new LinkedHashMap<>();
    Map<String, String> costs = new LinkedHashMap<>();
    Map<String, List<Block>> views = new LinkedHashMap<>();
    String shown = "";
    int most = 0;
    for (PhaseRanking ranking : group.rankings()) {
      for (Cost cost : Cost.values()) {
        for (Latency latency : Latency.values()) {
          boolean timed =
              ranking.standings().stream().anyMatch(own -> own.callerLatencies() != null);
          ScatterChart chart =
              timed ? Charts.scatter(ranking, latency, cost, section.costs(), names) : null;
          if (chart != null) {
            String phase = "phase-" + group.rankings().indexOf(ranking);
            String key = latency + " " + phase + " " + cost;
            latencies.put(latency.name(), latency.words);
            phases.put(phase, ranking.phase());
            costs.put(cost.name(), cost.words);
            views.put(
                key,
                List.of(new Block.Drawing(chart), table(chart, ranking.phase(), latency, cost)));
            shown = chart.spots().size() > most ? key : shown;
            most = Math.max(most, chart.spots().size());
          }
        }
      }
    }
    return views.isEmpty()
        ? null
        : new Block.Choices(
            List.of(
                Map.entry("Show", latencies),
                Map.entry("of phase", phases),
                Map.entry("against", costs)),
            shown,
            views);
  }

  private static Table table(ScatterChart chart, String phase, Latency latency, Cost cost) {
    return Table.of(
        Table.Look.QUIET,
        chart.title(),
        "configuration",
        Table.heads(cost.words, latency.words + ", " + phase, "standing"),
        chart.spots().stream()
            .map(spot ->
                Table.Row.of(
                    spot.name(),
                    spot.key(),
                    List.of(
                        cost.text(spot.x()),
                        Units.time(spot.y()),
                        spot.best() ? "beaten by none" : "beaten by another")))
            .toList());
  }
}
