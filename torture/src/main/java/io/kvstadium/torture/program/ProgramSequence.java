package io.kvstadium.torture.program;

import io.kvstadium.torture.check.Finding;
import io.kvstadium.torture.fault.FaultInjector;
import io.kvstadium.torture.fault.KeptStores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Faults in one directory, one after another: the program goes on where the last fault left it. */
final class ProgramSequence {
  /** In one of so many rounds the fault comes while the program starts. */
  private static final int STARTS = 6;

  private final ProgramSettings settings;
  private final Path home;
  private final FaultInjector injector;
  private final Duration window;
  private final KeptStores kept;
  private final SplittableRandom random;
  private final ProgramCheck check;
  private final List<byte[]> acknowledged = new ArrayList<>();
  private boolean over;

  /**
   * @param home for logs
   * @param window the longest time from the first line to the fault
   * @param kept receives the directory after each fault
   */
  ProgramSequence(
      ProgramSettings settings,
      Path home,
      FaultInjector injector,
      Duration window,
      KeptStores kept,
      long seed) {
    this.settings = settings;
    this.home = home;
    this.injector = injector;
    this.window = window;
    this.kept = kept;
    random = new SplittableRandom(seed);
    check = new ProgramCheck(settings.check(), home, settings.patience());
  }

  /** Whether another round makes no sense, because something was found. */
  boolean isOver() {
    return over;
  }

  ProgramRound next() throws IOException, InterruptedException {
    Path directory = injector.directory();
    List<String> command =
        Stream.concat(
                injector.workerPrefix(random).stream(),
                ProgramSettings.words(settings.program(), directory).stream())
            .toList();
    try (ProgramProcess process = new ProgramProcess(command, home)) {
      Finding wrong = awaitFault(process);
      List<byte[]> lines = process.lines();
      Set<String> outside = process.family().writesOutside(directory, process.files());
      boolean refused = process.hasEnded() && process.exitCode() != 0;
      injector.inject(process, random);
      if (injector.acknowledgesToTheEnd()) {
        lines = process.lines();
      }
      acknowledged.addAll(lines);
      kept.afterFault(injector);
      if (wrong == null) {
        wrong = check.run(injector.prefix(), directory, acknowledged);
      }
      over = wrong != null;
      return new ProgramRound(
          lines.size(), refused, wrong, wrong == null ? List.of() : injector.evidence(), outside);
    }
  }

  /** Lets the program run for a while; returns what is wrong already. */
  private @Nullable Finding awaitFault(ProgramProcess process)
      throws IOException, InterruptedException {
    boolean whileItStarts = random.nextInt(STARTS) == 0;
    Duration pause = Duration.ofNanos(random.nextLong(1 + window.toNanos()));
    if (whileItStarts) {
      process.awaitEnd(pause);
    } else if (process.awaitLine(settings.patience())) {
      process.awaitEnd(pause);
    } else if (!process.awaitEnd(Duration.ofSeconds(1))) {
      return new Finding(
          Finding.Kind.HANG,
          "the program printed no line within %d s: %s; %s"
              .formatted(
                  settings.patience().toSeconds(),
                  process.lastMessages(),
                  process.family().activity()));
    }
    if (process.hasEnded() && process.exitCode() != 0 && !injector.failsCalls()) {
      return new Finding(
          Finding.Kind.CRASH,
          "before the fault of this round the program ended with code %d: %s"
              .formatted(process.exitCode(), process.lastMessages()));
    }
    return null;
  }
}
