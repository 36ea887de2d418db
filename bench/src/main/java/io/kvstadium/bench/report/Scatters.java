package io.kvstadium.bench.report;

import io.kvstadium.bench.report.ScatterChart.Spot;
import io.kvstadium.bench.stats.Latencies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Latency against cost, in all combinations for which at least two configurations have figures. */
final class Scatters {
  private Scatters() {}

  /** The cost that configurations are plotted by. */
  enum Cost {
    SPACE("bytes on disk per live byte, when closed", Axis.Unit.NUMBER),
    CPU("processor time per operation", Axis.Unit.TIME);

    private final String words;
    private final Axis.Unit unit;

    Cost(String words, Axis.Unit unit) {
      this.words = words;
      this.unit = unit;
    }

    private double of(Standing own) {
      return this == CPU
          ? Costs.cpuNanos(own.trials())
          : new Costs(own.trials().configuration()).space();
    }
  }

  /** The latency that they are plotted by. */
  enum Latency {
    P50("median latency", own -> percentile(own, 0.5)),
    P99("p99 latency", own -> percentile(own, 0.99)),
    // at a fixed rate, the time per operation is the pacer's
    TIME(
        "time per operation", own -> own.pacing() == null ? 1e9 / own.rate().median() : Double.NaN);

    private final String words;

    @SuppressWarnings("ImmutableEnumChecker") // none of the functions holds anything
    private final ToDoubleFunction<Standing> figure;

    Latency(String words, ToDoubleFunction<Standing> figure) {
      this.words = words;
      this.figure = figure;
    }

    private static double percentile(Standing own, double level) {
      Latencies latencies = own.callerLatencies();
      Long nanos = latencies == null ? null : latencies.at(level);
      return nanos == null ? Double.NaN : nanos;
    }
  }

  /**
   * The views, or {@code null} if there are none. The one with the most configurations is shown
   * first.
   */
  static Block.@Nullable Choices of(List<PhaseRanking> rankings) {
    Map<String, String> latencies = new LinkedHashMap<>();
    Map<String, String> phases = new LinkedHashMap<>();
    Map<String, String> costs = new LinkedHashMap<>();
    Map<String, List<Block>> views = new LinkedHashMap<>();
    String shown = "";
    int most = 0;
    for (PhaseRanking ranking : rankings) {
      for (Cost cost : Cost.values()) {
        for (Latency latency : Latency.values()) {
          boolean timed = ranking.any(own -> own.callerLatencies() != null);
          ScatterChart chart = timed ? chart(ranking, latency, cost) : null;
          if (chart != null) {
            String phase = "phase-" + rankings.indexOf(ranking);
            String key = latency + " " + phase + " " + cost;
            latencies.put(latency.name(), latency.words);
            phases.put(phase, ranking.phase());
            costs.put(cost.name(), cost.words);
            String words = latency.words + ", " + ranking.phase();
            views.put(key, List.of(new Block.Drawing(chart), table(chart, words, cost)));
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

  /** A phase's latency against a cost, or {@code null} if fewer than two have both. */
  static @Nullable ScatterChart chart(PhaseRanking ranking, Latency latency, Cost cost) {
    List<Spot> spots = new ArrayList<>();
    for (Standing own : ranking.standings()) {
      double x = cost.of(own);
      double y = latency.figure.applyAsDouble(own);
      if (x > 0 && y > 0) {
        spots.add(new Spot(own.key(), own.configuration(), x, y, false));
      }
    }
    if (spots.size() < 2) {
      return null;
    }
    double[] xs = spots.stream().mapToDouble(Spot::x).toArray();
    double[] ys = spots.stream().mapToDouble(Spot::y).toArray();
    String title = ranking.phase() + ": " + latency.words + " against " + cost.words;
    return new ScatterChart(
        title + ", lower is better for both",
        title + "; the table below has the same figures and shows which ones none beats",
        Axis.fitting(cost.words, cost.unit, xs, Axis.spans(xs)),
        Axis.fitting(latency.words, Axis.Unit.TIME, ys, Axis.spans(ys)),
        ScatterChart.ranked(spots));
  }

  private static Table table(ScatterChart chart, String latency, Cost cost) {
    return Table.of(
        Table.Look.QUIET,
        chart.title(),
        "configuration",
        List.of(
            Column.of(cost.words, spot -> cost.unit.text(spot.x())),
            Column.of(latency, spot -> Units.time(spot.y())),
            Column.of("standing", spot -> spot.best() ? "beaten by none" : "beaten by another")),
        chart.spots(),
        spot -> Table.Row.of(spot.name(), spot.key()));
  }
}
