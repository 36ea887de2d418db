package io.kvstadium.cli.verify;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.kvstadium.cli.io.Version;
import io.kvstadium.cli.io.Why;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.torture.Finding;
import io.kvstadium.torture.Settings;
import io.kvstadium.torture.Tally;
import io.kvstadium.torture.evidence.TortureResults;
import io.kvstadium.torture.evidence.TortureResults.Line;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What tortures found, in files and as a table. */
final class TortureFiles {
  private TortureFiles() {}

  static TortureResults of(Settings settings, EngineInfo engine, List<Tally> tallies) {
    return new TortureResults(
        Version.number(),
        engine.name(),
        engine.version(),
        settings.unplaced().toString(),
        settings.seed(),
        settings.threads(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        tallies.stream().map(TortureFiles::line).toList());
  }

  private static Line line(Tally tally) {
    Map<String, Long> findings = new LinkedHashMap<>();
    tally.findings().forEach((kind, rounds) -> findings.put(kind.name(), rounds));
    return new Line(
        tally.level().word(),
        tally.fault().word(),
        tally.promise().name().toLowerCase(Locale.ROOT),
        tally.skipped(),
        new TreeMap<>(tally.fileSystems()),
        tally.rounds().size(),
        tally.strikes(),
        tally.refused(),
        tally.acknowledged(),
        tally.roundsWithLoss(),
        tally.mostLost(),
        tally.mostLostMillis(),
        tally.medianReopenNanos() / 1e6,
        tally.longestReopenNanos() / 1e6,
        findings,
        tally.broken().size());
  }

  static void write(TortureResults results, Path file) {
    try {
      results.write(file);
    } catch (IOException e) {
      throw new BadArgumentException("cannot write " + file + " (" + Why.of(e) + ")", e);
    }
  }

  static TortureResults read(Path file) {
    try {
      return TortureResults.read(file);
    } catch (JsonProcessingException e) {
      throw new BadArgumentException(
          file + " does not hold the results of a torture: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new BadArgumentException("cannot read " + file + " (" + Why.of(e) + ")", e);
    }
  }

  /** One Markdown table of several engines' results. */
  static List<String> markdown(List<TortureResults> all) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "| store | level | fault | rounds (strikes) | writes | acknowledged writes missing | reopened"
            + " in, longest | found | promise |");
    lines.add("| --- | --- | --- | ---: | ---: | --- | ---: | --- | --- |");
    for (TortureResults results : all) {
      for (Line line : results.lines()) {
        lines.add(row(results, line));
      }
    }
    return lines;
  }

  /** Such as {@code power (ext4 7, xfs 5)} or {@code eio (calls failed in 187)}. */
  private static String fault(Line line) {
    Map<String, Integer> on = line.fileSystems();
    if (on != null && !on.isEmpty()) {
      return line.fault()
          + on.entrySet().stream()
              .map(each -> each.getKey() + " " + each.getValue())
              .collect(Collectors.joining(", ", " (", ")"));
    }
    return line.refused() == null || line.refused() == 0
        ? line.fault()
        : line.fault() + " (calls failed in " + line.refused() + ")";
  }

  private static String row(TortureResults of, Line line) {
    String begin =
        "| `%s` %s | `%s` | %s | ".formatted(of.url(), of.version(), line.level(), fault(line));
    if (line.skipped() != null) {
      return begin + "skipped: " + line.skipped() + " | | | | | |";
    }
    return begin
        + String.format(
            Locale.ROOT,
            "%d (%d) | %,d | %s | %.0f ms, %.0f ms | %s | %s |",
            line.rounds(),
            line.strikes(),
            line.acknowledged(),
            line.lossRounds() == 0
                ? "none"
                : String.format(
                    Locale.ROOT,
                    "in %d rounds, at most %,d in %.0f ms",
                    line.lossRounds(),
                    line.mostLost(),
                    line.mostLostMillis()),
            line.medianReopenMillis(),
            line.longestReopenMillis(),
            line.findings().isEmpty()
                ? "nothing"
                : line.findings().entrySet().stream()
                    .map(each ->
                        Finding.Kind.valueOf(each.getKey()).words() + " in " + each.getValue())
                    .collect(Collectors.joining(", ")),
            line.demands() ? line.broken() > 0 ? "**broken**" : "kept" : "none");
  }
}
