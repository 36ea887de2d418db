package io.kvstadium.bench.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;
import org.hipparchus.analysis.solvers.BrentSolver;
import org.hipparchus.exception.MathRuntimeException;
import org.hipparchus.special.Gamma;
import org.hipparchus.stat.regression.OLSMultipleLinearRegression;
import org.jspecify.annotations.Nullable;

/**
 * Variances of few trials, made steadier by what the other cells of an experiment show. The
 * variance of two or three values says little, and is often small by chance. But the variances of
 * some tens of cells together say what to expect of a phase and a configuration, and how many
 * degrees of freedom d₀ that expectation is worth: the empirical Bayes method of G. K. Smyth,
 * Statistical Applications in Genetics and Molecular Biology 3, 2004. With s² of d degrees of
 * freedom, and s₀² as expected, the variance is (d₀s₀² + ds²) / (d₀ + d), with d₀ + d degrees of
 * freedom.
 *
 * <p>s₀² comes from e = ln s² − ψ(d/2) + ln(d/2), fitted additively in phase and configuration; d₀
 * solves ψ′(d₀/2) = Var(residuals of e) − mean of ψ′(d/2), to which the variance of the fit itself
 * is added, which is not small at two trials. Two departures keep families of equal engines honest
 * if variances differ more than the model assumes: d₀ is at most {@value #MAX_FREEDOM}, and no cell
 * has less than the variance that it showed.
 */
final class Moderation {
  /** With fewer cells, each has its own variance. */
  static final int FEWEST_CELLS = 10;

  static final double MAX_FREEDOM = 4;

  /** As good as infinite. */
  private static final double ENDLESS = 10_000;

  /** The fraction of the median variance that a cell of equal figures is assumed to have. */
  private static final double MIN = 1e-5;

  private Moderation() {}

  /**
   * What is known about one cell's variance.
   *
   * @param row its phase, by number
   * @param column its configuration, by number
   * @param value the variance of logarithms, per trial
   * @param freedom degrees of freedom, at least 1
   */
  record Variance(int row, int column, double value, double freedom) {}

  /**
   * The moderated variances of the same cells, or the cells as they are if they are too few, or too
   * different, to learn from.
   */
  static List<Variance> of(List<Variance> cells) {
    double[] expected = cells.size() < FEWEST_CELLS ? null : expected(cells);
    if (expected == null) {
      return cells;
    }
    double[] logs = logs(cells);
    double squares = 0;
    double sampling = 0;
    for (int i = 0; i < logs.length; i++) {
      squares += (logs[i] - expected[i]) * (logs[i] - expected[i]);
      sampling += Gamma.trigamma(cells.get(i).freedom / 2) / logs.length;
    }
    int parameters = levels(cells, Variance::row) + levels(cells, Variance::column) - 1;
    double residual = squares / (logs.length - parameters);
    double fit = residual * parameters / logs.length;
    double estimated = freedom(Math.max(0, residual - sampling) + fit);
    double offset = Gamma.digamma(estimated / 2) - Math.log(estimated / 2);
    double prior = Math.min(MAX_FREEDOM, estimated);
    List<Variance> moderated = new ArrayList<>();
    for (int i = 0; i < logs.length; i++) {
      Variance own = cells.get(i);
      double usual = Math.exp(expected[i] + offset);
      double freedom = prior + own.freedom;
      double mixed = (prior * usual + own.freedom * own.value) / freedom;
      moderated.add(new Variance(own.row, own.column, Math.max(own.value, mixed), freedom));
    }
    return moderated;
  }

  /** d₀ from ψ′(d₀/2), which falls as d₀ grows. */
  private static double freedom(double trigamma) {
    if (trigamma <= Gamma.trigamma(ENDLESS / 2)) {
      return ENDLESS;
    }
    return 2
        * new BrentSolver(1e-9).solve(200, x -> Gamma.trigamma(x) - trigamma, 1e-3, ENDLESS / 2);
  }

  /** e of each cell. */
  private static double[] logs(List<Variance> cells) {
    double[] sorted = cells.stream().mapToDouble(Variance::value).sorted().toArray();
    double min = MIN * sorted[sorted.length / 2];
    return cells.stream()
        .mapToDouble(own ->
            Math.log(Math.max(own.value, min))
                - Gamma.digamma(own.freedom / 2)
                + Math.log(own.freedom / 2))
        .toArray();
  }

  /** The expected e of each cell, or {@code null} if it cannot be determined. */
  private static double @Nullable [] expected(List<Variance> cells) {
    int rows = levels(cells, Variance::row);
    int columns = levels(cells, Variance::column);
    double[] logs = logs(cells);
    if (cells.size() <= rows + columns - 1 || Arrays.stream(logs).anyMatch(Double::isInfinite)) {
      return null;
    }
    int[] rowNumbers = cells.stream().mapToInt(Variance::row).distinct().sorted().toArray();
    int[] columnNumbers = cells.stream().mapToInt(Variance::column).distinct().sorted().toArray();
    double[][] design = new double[cells.size()][rows + columns - 1];
    for (int i = 0; i < design.length; i++) {
      int row = Arrays.binarySearch(rowNumbers, cells.get(i).row);
      int column = Arrays.binarySearch(columnNumbers, cells.get(i).column);
      design[i][row] = 1;
      if (column > 0) {
        design[i][rows + column - 1] = 1;
      }
    }
    OLSMultipleLinearRegression fit = new OLSMultipleLinearRegression();
    fit.setNoIntercept(true);
    try {
      fit.newSampleData(logs, design);
      double[] residuals = fit.estimateResiduals();
      double[] expected = new double[logs.length];
      Arrays.setAll(expected, i -> logs[i] - residuals[i]);
      return expected;
    } catch (MathRuntimeException e) {
      return null; // phases and configurations fall into parts that have nothing in common
    }
  }

  private static int levels(List<Variance> cells, ToIntFunction<Variance> number) {
    return (int) cells.stream().mapToInt(number).distinct().count();
  }
}
