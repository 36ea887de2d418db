package io.kvstadium.bench.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Where a figure changed for good over runs, by circular binary segmentation (A. B. Olshen and
 * others, Biostatistics 5, 2004): the stretch of runs that differs most from those before and after
 * it is a change if that is significant, and then the parts are searched. Each run is one value,
 * because what a machine does to a run it does to all of its trials.
 */
public final class ChangePoints {
  /** What only one run has seen may be that run's. */
  private static final int MIN_RUNS = 2;

  private final double[] logs;
  private final double level;
  private final TreeSet<Integer> places = new TreeSet<>();

  private ChangePoints(double[] logs, double level) {
    this.logs = logs;
    this.level = level;
  }

  /**
   * A change.
   *
   * @param at number of the first run after it, from 0
   * @param verdict on the runs from there up to the next change against those since the last one
   */
  public record Change(int at, Verdict verdict) {}

  /**
   * The changes in a series.
   *
   * @param speeds one for each run, in order; higher is faster
   * @param level of the whole series: that of the family, divided by the number of series
   */
  public static List<Change> of(List<Double> speeds, double level) {
    ChangePoints search = new ChangePoints(speeds.stream().mapToDouble(Cell::log).toArray(), level);
    search.search(0, speeds.size());
    return search.changes();
  }

  private void search(int from, int to) {
    int bestFrom = 0;
    int bestTo = 0;
    int candidates = 0;
    double min = 1;
    for (int i = from; i <= to - MIN_RUNS; i++) {
      for (int j = i + MIN_RUNS; j <= to; j++) {
        // a stretch up to the end is the same as that before it
        if ((i == from || i >= from + MIN_RUNS) && (j == to ? i > from : j <= to - MIN_RUNS)) {
          candidates++;
          double p = stretch(from, i, j, to).p(1);
          if (p < min) {
            min = p;
            bestFrom = i;
            bestTo = j;
          }
        }
      }
    }
    if (min * candidates <= level && candidates > 0) {
      List<Integer> ends = List.of(from, bestFrom, bestTo, to);
      ends.stream().filter(each -> each > from && each < to).forEach(places::add);
      for (int i = 1; i < ends.size(); i++) {
        search(ends.get(i - 1), ends.get(i));
      }
    }
  }

  /** A stretch against the runs on both sides of it. */
  private Contrast stretch(int from, int i, int j, int to) {
    int outside = to - from - (j - i);
    double mean = ((i - from) * mean(from, i) + (to - j) * mean(j, to)) / outside;
    double spread = squares(i, j, mean(i, j)) + squares(from, i, mean) + squares(j, to, mean);
    int freedom = to - from - 2;
    double error = Math.sqrt(spread / freedom * (1.0 / (j - i) + 1.0 / outside));
    return new Contrast(mean(i, j) - mean, error, freedom);
  }

  /** The changes, each with the spread that is left in all parts of the series. */
  private List<Change> changes() {
    List<Integer> ends = new ArrayList<>(places);
    ends.addFirst(0);
    ends.addLast(logs.length);
    double spread = 0;
    for (int i = 1; i < ends.size(); i++) {
      spread += squares(ends.get(i - 1), ends.get(i), mean(ends.get(i - 1), ends.get(i)));
    }
    List<Change> changes = new ArrayList<>();
    for (int i = 1; i < ends.size() - 1; i++) {
      int freedom = logs.length - ends.size() + 1;
      Contrast contrast = contrast(ends.get(i - 1), ends.get(i), ends.get(i + 1), spread, freedom);
      changes.add(new Change(ends.get(i), contrast.verdict(true, Families.LEVEL, 1)));
    }
    return changes;
  }

  /** The runs from a place on against those before it, whose variance is taken to be the same. */
  private Contrast contrast(int from, int at, int to, double spread, int freedom) {
    double error = Math.sqrt(spread / freedom * (1.0 / (at - from) + 1.0 / (to - at)));
    return new Contrast(mean(at, to) - mean(from, at), error, freedom);
  }

  private double mean(int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += logs[i];
    }
    return sum / Math.max(1, to - from);
  }

  private double squares(int from, int to, double mean) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += (logs[i] - mean) * (logs[i] - mean);
    }
    return sum;
  }
}
