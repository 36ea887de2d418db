package io.kvstadium.bench.run;

import io.kvstadium.bench.machine.Availability;
import io.kvstadium.bench.machine.ControlGroup;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.text.Finding.Level;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.store.BadArgumentException;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one trial within its memory limit, and knows afterwards what it used; does nothing if there
 * is no limit. Used by one thread.
 */
final class MemoryLimit implements AutoCloseable {
  /** A virtual machine that sees little memory would otherwise choose another collector. */
  private static final List<String> USUAL_COLLECTOR = List.of("-XX:+UseG1GC");

  private static final MemoryLimit NONE = new MemoryLimit(null);

  private final @Nullable ControlGroup group;
  private long peakAnonymous = -1;
  private long peakFile = -1;

  private MemoryLimit(@Nullable ControlGroup group) {
    this.group = group;
  }

  /**
   * Returns how a limit will be enforced, if there is one.
   *
   * @throws BadArgumentException if it is not available
   */
  static List<Finding> check(Resources resources, Supplier<Availability> groups) {
    if (resources.memory() == 0) {
      return List.of();
    }
    return switch (groups.get()) {
      case Availability.Available _ ->
          List.of(new Finding(Level.NOTE, "environment", "memory was limited by control groups"));
      case Availability.Unavailable(String reason, String advice) ->
          throw new BadArgumentException(
              "a memory limit needs control groups, which are not available: "
                  + reason
                  + "; "
                  + advice
                  + ", or leave the limit out");
    };
  }

  /**
   * @param name of the trial
   * @throws IOException if the system refuses to make a group
   */
  static MemoryLimit of(String name, Resources resources, Supplier<Availability> groups)
      throws IOException {
    if (resources.memory() == 0) {
      return NONE;
    }
    return switch (groups.get()) {
      case Availability.Available available ->
          new MemoryLimit(available.parent().create(name, resources.memory()));
      case Availability.Unavailable(String reason, String ignored) -> throw new IOException(reason);
    };
  }

  List<String> commandPrefix() {
    return group == null ? List.of() : group.commandPrefix();
  }

  /** Selects the same collector with a limit as without: on one core it would be the serial one. */
  List<String> jvmArguments() {
    return group == null || Runtime.getRuntime().availableProcessors() == 1
        ? List.of()
        : USUAL_COLLECTOR;
  }

  /**
   * Looks at what is used. The kernel keeps the peak of the sum; the peaks of its parts are found
   * here.
   */
  void look() {
    if (group != null) {
      ControlGroup.Memory memory = group.memory();
      peakAnonymous = Math.max(peakAnonymous, memory.anonymousBytes());
      peakFile = Math.max(peakFile, memory.fileBytes());
    }
  }

  /** Returns the result with what is known here: what was used, and whether the limit ended it. */
  Message.Done judge(Message.Done done) {
    if (group == null) {
      return done;
    }
    TrialResult result = done.result();
    String failure = group.oomKills() > 0 ? killed(group, result.failure()) : result.failure();
    return new Message.Done(
        new TrialResult(
            result.number(),
            result.seed(),
            failure,
            result.phases(),
            result
                .card()
                .with(new CostCard.Memory(peakAnonymous, peakFile, group.memory().peakBytes()))),
        done.data());
  }

  private String killed(ControlGroup confined, @Nullable String failure) {
    long peak = confined.memory().peakBytes();
    return "killed: it needed more than the memory limit "
        + (confined.limitBytes() >> 20)
        + " MiB (its peak: "
        + (peak < 0 ? "" : (peak >> 20) + " MiB, of which ")
        + "anonymous "
        + (Math.max(0, peakAnonymous) >> 20)
        + " MiB)"
        + (failure == null || failure.contains("exit code") ? "" : "; then: " + failure);
  }

  @Override
  public void close() {
    if (group != null) {
      group.close();
    }
  }
}
