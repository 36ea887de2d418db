package io.kvstadium.bench.report;

import java.util.ArrayList;
import java.util.List;

/** The latency histograms that a page hands out, one file for each phase of a group. */
final class Samples {
  /** Of one phase; each recording is a line of the log. */
  record File(String name, List<Recording> recordings) {}

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
  int add(String name, List<Recording> recordings) {
    files.add(new File(name, recordings));
    return files.size() - 1;
  }

  /** The files with one histogram for each recording. */
  List<File> merged(int digits) {
    return files.stream()
        .map(file ->
            new File(
                file.name(), file.recordings().stream().map(each -> each.merged(digits)).toList()))
        .toList();
  }
}
