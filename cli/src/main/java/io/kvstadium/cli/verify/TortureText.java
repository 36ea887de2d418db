package io.kvstadium.cli.verify;

import io.kvstadium.cli.io.Invocation;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.cli.io.StatusLine;
import io.kvstadium.store.Durability;
import io.kvstadium.torture.FaultResult;
import io.kvstadium.torture.Round;
import io.kvstadium.torture.Settings;
import io.kvstadium.torture.Torture;
import io.kvstadium.torture.check.Guarantee;
import io.kvstadium.torture.fault.Fault;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints the progress of a torture on standard error, and its results on standard output. */
final class TortureText implements Torture.Listener, AutoCloseable {
  private static final String ROW = "%-10s  %-5s  %6s  %7s  %9s  %-16s  %7s  %s";

  /** Before the results of a run that was interrupted. */
  static final String INTERRUPTED = "Interrupted: this shows only what was finished.";

  /** How many findings are printed in full. */
  private static final int SHOWN = 4;

  private final Settings settings;
  private final @Nullable String language;
  private final StatusLine line = new StatusLine();
  private String title = "";
  private long began;
  private long acknowledged;
  private int findings;

  /**
   * @param language of the player that uses the stores, as in {@code --language}
   */
  TortureText(Settings settings, @Nullable String language) {
    this.settings = settings;
    this.language = language;
  }

  @Override
  public void begins(Durability level, Fault fault, Guarantee guarantee) {
    if (title.isEmpty()) {
      System.err.println(
          "Torture of %s: %d rounds for each level and fault, %d %s, seed %d"
              .formatted(
                  settings.url(),
                  settings.rounds(),
                  settings.threads(),
                  settings.threads() == 1 ? "writer" : "writers",
                  settings.seed()));
    }
    line.close();
    title = level.word() + ", " + fault.description();
    began = System.nanoTime();
    acknowledged = 0;
    findings = 0;
    if (!line.isShown()) {
      System.err.println(title);
    }
  }

  @Override
  public void ended(Round round, int number) {
    acknowledged += round.acknowledged();
    findings += round.findings().size();
    line.draw(
        number,
        settings.repeats() ? 0 : settings.rounds(),
        began,
        "%s: %s writes%s"
            .formatted(
                title, count(acknowledged), findings == 0 ? "" : ", " + findings + " findings"));
  }

  /**
   * Prints what was found.
   *
   * @param interrupted whether there would have been more
   */
  void summary(List<FaultResult> results, boolean interrupted) {
    line.close();
    List<String> lines = new ArrayList<>();
    if (interrupted) {
      lines.add(INTERRUPTED);
    }
    lines.add(
        ROW.formatted("level", "fault", "rounds", "faults", "writes", "lost at most", "reopen", "")
            .stripTrailing());
    for (FaultResult result : results) {
      if (result.skipped() != null) {
        lines.add(
            "%-10s  %-5s  skipped: %s"
                .formatted(result.level().word(), result.fault().word(), result.skipped()));
      } else {
        lines.add(row(result));
        if (result.fault() == Fault.EIO || result.fault() == Fault.FULL) {
          lines.add("            calls failed in " + result.refused() + " of them");
        }
        lines.addAll(found(result));
      }
    }
    lines.addAll(
        broken(
            results.stream().flatMap(each -> each.broken().stream()).toList(),
            replay ->
                language == null
                    ? Invocation.again("torture", "--replay", replay)
                    : Invocation.again("torture", "--language", language, "--replay", replay)));
    lines.forEach(System.out::println);
  }

  /**
   * What was found, with the command that repeats it, the shortest first; of that one, also the
   * evidence.
   *
   * @param repeat makes that command of a line to replay
   */
  static List<String> broken(List<FaultResult.Broken> found, UnaryOperator<String> repeat) {
    List<FaultResult.Broken> broken =
        found.stream().sorted(Comparator.comparingInt(FaultResult.Broken::rounds)).toList();
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < Math.min(SHOWN, broken.size()); i++) {
      FaultResult.Broken each = broken.get(i);
      lines.add("");
      lines.addAll(Lines.wrap("", Lines.cut(each.finding().toString(), 600)));
      if (i == 0 && !each.evidence().isEmpty()) {
        lines.add("  not durable at the cut:");
        each.evidence().forEach(line -> lines.addAll(Lines.wrap("    ", Lines.cut(line, 1_000))));
      }
      lines.add("  repeat it: " + repeat.apply(each.replay()));
      if (each.kept() != null) {
        lines.add("  as the fault left it: " + each.kept());
      }
    }
    if (broken.size() > SHOWN) {
      lines.add("and " + (broken.size() - SHOWN) + " more");
    }
    return lines;
  }

  private static String row(FaultResult result) {
    return ROW.formatted(
            result.level().word(),
            result.fault().word(),
            result.rounds().size(),
            result.faults(),
            count(result.acknowledged()),
            result.mostLost() == 0
                ? "nothing"
                : count(result.mostLost())
                    + " in "
                    + String.format(Locale.ROOT, "%.0f ms", result.mostLostMillis()),
            String.format(Locale.ROOT, "%.0f ms", result.medianReopenNanos() / 1e6),
            verdict(result))
        .stripTrailing();
  }

  private static String verdict(FaultResult result) {
    if (!result.broken().isEmpty()) {
      return "BROKEN";
    }
    return result.guarantee() == Guarantee.NOTHING ? "-" : "kept";
  }

  private static List<String> found(FaultResult result) {
    if (result.findings().isEmpty()) {
      return List.of();
    }
    return Lines.wrap(
        "            ",
        (result.guarantee() == Guarantee.NOTHING ? "seen, but nothing is guaranteed: " : "found: ")
            + result.findings().entrySet().stream()
                .map(each -> each.getKey().words() + " in " + each.getValue())
                .collect(Collectors.joining(", ")));
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  @Override
  public void close() {
    line.close();
  }
}
