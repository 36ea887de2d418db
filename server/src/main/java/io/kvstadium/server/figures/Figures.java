package io.kvstadium.server.figures;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;
import java.util.TreeMap;

/** The figures of one moment. Several with the same name and help differ in their labels. */
public final class Figures {
  /** Histograms show how often something took less than 8 microseconds, 16, and so on. */
  private static final int FIRST = 13;

  /** And 17 seconds. */
  private static final int LAST = 34;

  private final Map<String, CounterSnapshot.Builder> counters = new TreeMap<>();
  private final Map<String, GaugeSnapshot.Builder> gauges = new TreeMap<>();
  private final Map<String, HistogramSnapshot.Builder> histograms = new TreeMap<>();

  Figures() {}

  /**
   * What only grows while the server runs.
   *
   * @param name without {@code _total}, which is added
   * @param labels names and values in turn
   */
  public void counter(String name, String help, Number value, String... labels) {
    counters
        .computeIfAbsent(name, _ -> CounterSnapshot.builder().name(name).help(help))
        .dataPoint(
            CounterDataPointSnapshot.builder()
                .value(value.doubleValue())
                .labels(Labels.of(labels))
                .build());
  }

  /**
   * What grows and shrinks.
   *
   * @param labels names and values in turn
   */
  public void gauge(String name, String help, Number value, String... labels) {
    gauges
        .computeIfAbsent(name, _ -> GaugeSnapshot.builder().name(name).help(help))
        .dataPoint(
            GaugeDataPointSnapshot.builder()
                .value(value.doubleValue())
                .labels(Labels.of(labels))
                .build());
  }

  /**
   * How long something took, in seconds.
   *
   * @param labels names and values in turn
   */
  public void histogram(String name, String help, Latencies took, String... labels) {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    long[] below = took.below();
    long before = 0;
    for (int power = FIRST; power <= LAST; power++) {
      long count = below[power - Latencies.LEAST];
      buckets.bucket((1L << power) / 1e9, count - before);
      before = count;
    }
    buckets.bucket(Double.POSITIVE_INFINITY, below[below.length - 1] - before);
    histograms
        .computeIfAbsent(name, _ -> HistogramSnapshot.builder().name(name).help(help))
        .dataPoint(
            HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(buckets.build())
                .sum(took.nanos() / 1e9)
                .labels(Labels.of(labels))
                .build());
  }

  MetricSnapshots snapshots() {
    MetricSnapshots.Builder all = MetricSnapshots.builder();
    counters.values().forEach(each -> all.metricSnapshot(each.build()));
    gauges.values().forEach(each -> all.metricSnapshot(each.build()));
    histograms.values().forEach(each -> all.metricSnapshot(each.build()));
    return all.build();
  }
}
