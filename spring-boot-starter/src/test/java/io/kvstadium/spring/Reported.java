package io.kvstadium.spring;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalysisReporter;

/**
 * What Spring Boot prints of a failed start, on the thread that it was on. Found through {@code
 * spring.factories}.
 */
final class Reported implements FailureAnalysisReporter {
  private static final ThreadLocal<List<FailureAnalysis>> ALL =
      ThreadLocal.withInitial(ArrayList::new);

  static List<FailureAnalysis> take() {
    List<FailureAnalysis> taken = List.copyOf(ALL.get());
    ALL.remove();
    return taken;
  }

  @Override
  public void report(FailureAnalysis analysis) {
    ALL.get().add(analysis);
  }
}
