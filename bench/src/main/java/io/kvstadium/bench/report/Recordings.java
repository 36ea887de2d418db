package io.kvstadium.bench.report;

import io.kvstadium.bench.stats.EncodedHistogram;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/**
 * The latencies of one phase, as a page offers them for download.
 *
 * @param name the name of the files
 * @param recordings each a line of a log
 * @param csv the percentile curves
 */
record Recordings(String name, List<Recording> recordings, String csv) {
  /**
   * All trials of one configuration together.
   *
   * @param kind {@code service} or {@code response}
   * @param seconds the total duration of the trials
   * @param max the maximum in nanoseconds
   * @param histograms in HdrHistogram's compressed form in Base64: one for each trial, or one for
   *     all once {@link #merged}
   */
  record Recording(String name, String kind, double seconds, long max, List<String> histograms) {
    private Recording merged(int digits) {
      return new Recording(
          name,
          kind,
          seconds,
          max,
          List.of(EncodedHistogram.of(EncodedHistogram.merge(histograms, digits))));
    }
  }

  /** Returns a copy with one histogram for each recording. */
  Recordings merged(int digits) {
    return new Recordings(name, recordings.stream().map(each -> each.merged(digits)).toList(), csv);
  }

  /** Percentile curves as CSV. */
  static String csv(LineChart curves) {
    StringBuilder csv = new StringBuilder("configuration,percentile,nanoseconds\r\n");
    for (LineChart.Line line : curves.lines()) {
      for (double[] point : line.points()) {
        BigDecimal percent = new BigDecimal(100 * (1 - Math.pow(10, -point[0])));
        csv.append('"').append(line.name().replace("\"", "\"\"")).append("\",");
        csv.append(percent.round(new MathContext(7)).stripTrailingZeros().toPlainString());
        csv.append(',').append((long) point[1]).append("\r\n");
      }
    }
    return csv.toString();
  }
}
