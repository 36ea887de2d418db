package io.kvstadium.bench.trial;

import io.kvstadium.bench.trial.TrialPlan.Profiling;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/** Records with JFR what the process does in a phase that is to be profiled. */
final class PhaseRecording {
  /** Of the processor time of each thread, in Java or native code; on Linux since Java 25. */
  private static final String PROCESSOR = "jdk.CPUTimeSample";

  private final @Nullable Profiling wanted;

  /**
   * @param wanted the phases, or {@code null} for none
   */
  PhaseRecording(@Nullable Profiling wanted) {
    this.wanted = wanted;
  }

  /** Does the work of a phase. */
  <T> T during(String phase, Supplier<T> work) {
    if (wanted == null || !wanted.phases().contains(phase)) {
      return work.get();
    }
    try (Recording recording = new Recording()) {
      boolean knowsProcessor =
          FlightRecorder.getFlightRecorder().getEventTypes().stream()
              .anyMatch(each -> each.getName().equals(PROCESSOR));
      if (knowsProcessor) {
        recording.enable(PROCESSOR).with("throttle", "2ms").withStackTrace();
      } else {
        recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10)).withStackTrace();
        recording
            .enable("jdk.NativeMethodSample")
            .withPeriod(Duration.ofMillis(10))
            .withStackTrace();
      }
      recording.enable("jdk.ObjectAllocationSample").with("throttle", "500/s").withStackTrace();
      for (String waits : Profiling.WAITS) {
        recording.enable(waits).withThreshold(Duration.ofNanos(1_000)).withStackTrace();
      }
      recording.start();
      T result = work.get();
      recording.stop();
      recording.dump(wanted.file(phase));
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the recording to " + wanted.file(phase), e);
    }
  }
}
