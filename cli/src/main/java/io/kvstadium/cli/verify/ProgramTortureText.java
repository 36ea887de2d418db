package io.kvstadium.cli.verify;

import io.kvstadium.cli.io.Invocation;
import io.kvstadium.cli.io.Lines;
import io.kvstadium.cli.io.StatusLine;
import io.kvstadium.torture.fault.Fault;
import io.kvstadium.torture.program.ProgramResult;
import io.kvstadium.torture.program.ProgramRound;
import io.kvstadium.torture.program.ProgramSettings;
import io.kvstadium.torture.program.ProgramTorture;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Prints the progress of a torture of a program on standard error, and its results on standard
 * output.
 */
final class ProgramTortureText implements ProgramTorture.Listener, AutoCloseable {
  private static final String ROW = "%-6s  %6s  %12s  %-12s  %s";

  private final ProgramSettings settings;
  private final StatusLine line = new StatusLine();
  private String title = "";
  private long began;
  private int rounds;
  private long acknowledged;
  private int findings;

  ProgramTortureText(ProgramSettings settings) {
    this.settings = settings;
    System.err.println(
        "Torture of a program: %d rounds of each fault, seed %d; first without a fault"
            .formatted(settings.rounds(), settings.seed()));
  }

  @Override
  public synchronized void begins(Fault fault) {
    line.close();
    title = fault.description();
    began = System.nanoTime();
    rounds = 0;
    acknowledged = 0;
    findings = 0;
    if (!line.isShown()) {
      System.err.println(title);
    }
  }

  @Override
  public synchronized void ended(ProgramRound round) {
    rounds++;
    acknowledged += round.acknowledged();
    findings += round.finding() == null ? 0 : 1;
    line.draw(
        rounds,
        settings.repeats() ? 0 : settings.rounds(),
        began,
        "%s: %s acknowledged%s"
            .formatted(
                title, count(acknowledged), findings == 0 ? "" : ", " + findings + " findings"));
  }

  /**
   * Prints what was found.
   *
   * @param interrupted whether there would have been more
   */
  void summary(List<ProgramResult> results, boolean interrupted) {
    line.close();
    List<String> lines = new ArrayList<>();
    if (interrupted) {
      lines.add(TortureText.INTERRUPTED);
    }
    lines.add(ROW.formatted("fault", "rounds", "acknowledged", "on", "").stripTrailing());
    Set<String> outside = new TreeSet<>();
    for (ProgramResult result : results) {
      outside.addAll(result.outside());
      if (result.skipped() != null) {
        lines.add("%-6s  skipped: %s".formatted(result.fault().word(), result.skipped()));
        continue;
      }
      lines.add(
          ROW.formatted(
                  result.fault().word(),
                  result.rounds().size(),
                  count(result.acknowledged()),
                  String.join(", ", new TreeSet<>(result.fileSystems().keySet())),
                  verdict(result))
              .stripTrailing());
      if (result.fault() == Fault.EIO || result.fault() == Fault.FULL) {
        lines.add("        the program ended with a failure in " + result.refused() + " of them");
      }
    }
    outside.forEach(file ->
        lines.addAll(
            Lines.wrap(
                "",
                "The program had "
                    + file
                    + " open for writing, which is outside of {dir}: no fault"
                    + " but kill reaches it.")));
    lines.addAll(
        TortureText.broken(
            results.stream()
                .filter(ProgramResult::isFailure)
                .flatMap(each -> each.broken().stream())
                .toList(),
            replay ->
                Invocation.again(
                    "torture",
                    "--program",
                    settings.program(),
                    "--check",
                    settings.check(),
                    "--replay",
                    replay)));
    lines.forEach(System.out::println);
  }

  private static String verdict(ProgramResult result) {
    if (ProgramResult.isDemanded(result.fault())) {
      return result.broken().isEmpty() ? "held" : "BROKEN in " + result.broken().size();
    }
    return result.broken().isEmpty()
        ? "the check saw nothing, though no program withstands this"
        : "no program withstands this: the check saw it in " + result.broken().size();
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  @Override
  public void close() {
    line.close();
  }
}
