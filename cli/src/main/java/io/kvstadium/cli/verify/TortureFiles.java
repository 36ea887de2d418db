package io.kvstadium.cli.verify;

import io.kvstadium.cli.io.Version;
import io.kvstadium.cli.io.Why;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.torture.Settings;
import io.kvstadium.torture.Tally;
import io.kvstadium.torture.evidence.TortureResults;
import io.kvstadium.torture.evidence.TortureResults.Line;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What tortures found, in files. */
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
}
