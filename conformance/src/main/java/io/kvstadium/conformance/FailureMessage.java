package io.kvstadium.conformance;

import java.util.Locale;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * Begins each failure with the broken rule, as the test's name says it, and how to repeat the test.
 */
final class FailureMessage
    implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {
  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    if (failure instanceof TestAbortedException) {
      throw failure;
    }
    String method = context.getRequiredTestMethod().getName();
    String shown = context.getDisplayName();
    String sentence =
        "broken: '%s'%s. %s%s"
            .formatted(
                of(method),
                shown.startsWith(method) ? "" : " (" + shown + ")",
                failure instanceof AssertionError ? failure.getMessage() : failure,
                again(context.getRequiredTestClass(), method));
    Throwable cause = failure instanceof AssertionError ? failure.getCause() : failure;
    AssertionError told =
        failure instanceof AssertionFailedError failed && failed.isExpectedDefined()
            ? new AssertionFailedError(sentence, failed.getExpected(), failed.getActual(), cause)
            : new AssertionError(sentence, cause);
    told.setStackTrace(failure.getStackTrace());
    for (Throwable each : failure.getSuppressed()) {
      told.addSuppressed(each);
    }
    throw told;
  }

  /** The stores that a test opened are closed after it. */
  @Override
  public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    handleTestExecutionException(context, failure);
  }

  private static String again(Class<?> tests, String method) {
    return tests == InstalledConformance.class // it has its own way
        ? ""
        : " [-Dtest='%s#%s*']".formatted(tests.getSimpleName(), method);
  }

  /** {@code noSnapshotSeesHalfABatch} as words. */
  static String of(String method) {
    return method.replaceAll("(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
  }
}
