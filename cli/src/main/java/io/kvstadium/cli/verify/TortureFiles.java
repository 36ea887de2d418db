package io.kvstadium.cli.verify;

import io.kvstadium.cli.io.Version;
import io.kvstadium.cli.io.Why;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.EngineInfo;
import io.kvstadium.torture.FaultResult;
import io.kvstadium.torture.Settings;
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

  static TortureResults of(Settings settings, EngineInfo engine, List<FaultResult> results) {
    return new TortureResults(
        Version.number(),
        engine.name(),
        engine.version(),
        settings.unplaced().toString(),
        settings.seed(),
        settings.threads(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        results.stream().map(TortureFiles::line).toList());
  }

  private static Line line(FaultResult result) {
    Map<String, Long> findings = new LinkedHashMap<>();
    result.findings().forEach((kind, rounds) -> findings.put(kind.name(), rounds));
    return new Line(
        result.level().word(),
        result.fault().word(),
        result.guarantee().name().toLowerCase(Locale.ROOT),
        result.skipped(),
        new TreeMap<>(result.fileSystems()),
        result.rounds().size(),
        result.faults(),
        result.refused(),
        result.acknowledged(),
        result.roundsWithLoss(),
        result.mostLost(),
        result.mostLostMillis(),
        result.medianReopenNanos() / 1e6,
        result.longestReopenNanos() / 1e6,
        findings,
        result.broken().size());
  }

  static void write(TortureResults results, Path file) {
    try {
      results.write(file);
    } catch (IOException e) {
      throw new BadArgumentException("cannot write " + file + " (" + Why.of(e) + ")", e);
    }
  }
}
