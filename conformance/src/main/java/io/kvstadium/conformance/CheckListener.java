package io.kvstadium.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Counts, shows the progress, and sums up on one screen. */
final class CheckListener implements TestExecutionListener {
  private static final int MOST_SHOWN = 3;
  private static final int MOST_LETTERS = 240;

  /** Between two lines of progress. */
  private static final int METHODS_PER_LINE = 20;

  private final long methods;
  private final long start = System.nanoTime();
  private final List<Failure> failures = new ArrayList<>();
  private final Map<String, Integer> skipped = new TreeMap<>();
  private int begun;
  private int succeeded;

  private record Failure(String method, Throwable thrown) {}

  /**
   * @param methods the number of tests
   */
  CheckListener(long methods) {
    this.methods = methods;
  }

  /** A conformance test, which may run several times. */
  static boolean isMethod(TestIdentifier test) {
    return test.getSource().orElse(null) instanceof MethodSource
        && !test.getUniqueId().contains("test-template-invocation");
  }

  @Override
  public synchronized void executionStarted(TestIdentifier test) {
    if (isMethod(test)) {
      begun++;
      if (begun % METHODS_PER_LINE == 0) {
        String failed = failures.isEmpty() ? "" : ", %d failed".formatted(failures.size());
        System.err.printf("%d of %d tests%s%n", begun, methods, failed);
      }
    }
  }

  @Override
  public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
    Throwable thrown = result.getThrowable().orElse(null);
    switch (result.getStatus()) {
      case SUCCESSFUL -> succeeded += test.isTest() ? 1 : 0;
      case ABORTED -> skip(thrown == null ? "" : String.valueOf(thrown.getMessage()));
      case FAILED ->
          failures.add(
              new Failure(method(test), thrown == null ? new AssertionError("failed") : thrown));
    }
  }

  @Override
  public synchronized void executionSkipped(TestIdentifier test, String reason) {
    skip(reason);
  }

  private void skip(String reason) {
    String why = reason.replaceFirst("^Assumption failed: ", "");
    skipped.merge(why.replaceFirst("^does not declare ", "no "), 1, Integer::sum);
  }

  private static String method(TestIdentifier test) {
    return test.getSource().orElse(null) instanceof MethodSource source
        ? source.getMethodName()
        : test.getDisplayName();
  }

  synchronized boolean passed() {
    return failures.isEmpty() && succeeded > 0;
  }

  /**
   * Prints the results.
   *
   * @param command the command that ran this, without tests and seed
   */
  synchronized void print(String command, long seed, boolean stacks) {
    int skips = skipped.values().stream().mapToInt(Integer::intValue).sum();
    System.out.printf(
        "%s: %d passed, %d failed, %d skipped, in %d s%n",
        passed() ? "Passed" : "Not passed",
        succeeded,
        failures.size(),
        skips,
        Duration.ofNanos(System.nanoTime() - start).toSeconds());
    if (succeeded == 0 && failures.isEmpty()) {
      System.out.println("No test applied to this engine, so nothing is known about it.");
    }
    for (Failure failure : failures.subList(0, shown(stacks))) {
      System.out.println();
      if (stacks) {
        failure.thrown().printStackTrace(System.out);
      } else {
        System.out.println(sentence(failure.thrown()));
      }
      System.out.printf("  again: %s --tests %s --seed %d%n", command, failure.method(), seed);
    }
    if (failures.size() > shown(stacks)) {
      System.out.println();
      List<String> others =
          failures.stream().skip(shown(stacks)).map(Failure::method).distinct().toList();
      System.out.println(
          cut(
              (failures.size() - shown(stacks))
                  + " more failed (--stacks prints all in full): "
                  + String.join(", ", others),
              MOST_LETTERS));
    }
    if (!skipped.isEmpty()) {
      System.out.println();
      List<String> reasons = new ArrayList<>();
      skipped.forEach((reason, count) -> reasons.add(reason + " (" + count + ")"));
      System.out.println("Skipped: " + String.join(", ", reasons));
    }
  }

  private int shown(boolean all) {
    return all ? failures.size() : Math.min(failures.size(), MOST_SHOWN);
  }

  /** Its message in one paragraph. */
  private static String sentence(Throwable thrown) {
    return cut(String.valueOf(thrown.getMessage()).strip().replaceAll("\\s+", " "), MOST_LETTERS);
  }

  private static String cut(String text, int letters) {
    return text.length() <= letters ? text : text.substring(0, letters - 1) + "…";
  }
}
