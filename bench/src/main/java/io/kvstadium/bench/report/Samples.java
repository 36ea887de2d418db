package io.kvstadium.bench.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The latency histograms that a page hands out, one file for each phase of a group. */
final class Samples {
  /** Of one phase: each recording is a line of the log; and the curves as CSV. */
  record File(String name, List<Recording> recordings, String csv) {}

  /**
   * All trials of one configuration together.
   *
   * @param kind {@code service} or {@code response}
   * @param seconds how long they were in all
   * @param max nanoseconds
   * @param histograms in HdrHistogram's compressed form in Base64; here of each trial, and of all
   *     together once they are {@link #merged}
   */
  record Recording(String name, String kind, double seconds, long max, List<String> histograms) {
    Recording merged(int digits) {
      return new Recording(name, kind, seconds, max, List.of(Histograms.merge(histograms, digits)));
    }
  }

  private final List<File> files = new ArrayList<>();

  /** The number of the new file. */
  int add(String name, List<Recording> recordings, @Nullable LineChart curves) {
    files.add(new File(name, recordings, curves == null ? "" : csv(curves)));
    return files.size() - 1;
  }

  private static String csv(LineChart curves) {
    StringBuilder csv = new StringBuilder("configuration,percentile,nanoseconds\r\n");
    for (LineChart.Line line : curves.lines()) {
      for (double[] point : line.points()) {
        double percent = 100 * (1 - Math.pow(10, -point[0]));
        csv.append('"').append(line.name().replace("\"", "\"\"")).append("\",");
        csv.append(
            new BigDecimal(percent).round(new MathContext(7)).stripTrailingZeros().toPlainString());
        csv.append(',').append((long) point[1]).append("\r\n");
      }
    }
    return csv.toString();
  }

  /** The files with one histogram for each recording. */
  List<File> merged(int digits) {
    return files.stream()
        .map(file ->
            new File(
                file.name(),
                file.recordings().stream().map(each -> each.merged(digits)).toList(),
                file.csv()))
        .toList();
  }
}
