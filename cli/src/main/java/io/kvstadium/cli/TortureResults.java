package io.kvstadium.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.EngineInfo;
import io.kvstadium.torture.Finding;
import io.kvstadium.torture.Settings;
import io.kvstadium.torture.Tally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a torture found, to be kept in a file: the evidence of an engine's levels.
 *
 * @param stadium the version that struck
 * @param url of the stores, without a place
 * @param system its kernel
 */
record TortureResults(
    String stadium,
    String engine,
    String version,
    String url,
    long seed,
    int threads,
    String system,
    List<Line> lines) {

  /**
   * A level under a fault.
   *
   * @param skipped why there are no rounds, or {@code null}
   * @param lossRounds rounds after which something acknowledged was missing, allowed or not
   * @param findings of each class, in how many rounds
   */
  record Line(
      String level,
      String fault,
      String promise,
      @Nullable String skipped,
      int rounds,
      int strikes,
      long acknowledged,
      long lossRounds,
      long mostLost,
      double mostLostMillis,
      double medianReopenMillis,
      double longestReopenMillis,
      Map<Finding.Kind, Long> findings,
      int broken) {}

  static TortureResults of(Settings settings, EngineInfo engine, List<Tally> tallies) {
    return new TortureResults(
        Version.number(),
        engine.name(),
        engine.version(),
        settings.unplaced().toString(),
        settings.seed(),
        settings.threads(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        tallies.stream().map(TortureResults::line).toList());
  }

  private static Line line(Tally tally) {
    return new Line(
        tally.level().word(),
        tally.fault().word(),
        tally.promise().name().toLowerCase(Locale.ROOT),
        tally.skipped(),
        tally.rounds().size(),
        tally.strikes(),
        tally.acknowledged(),
        tally.roundsWithLoss(),
        tally.mostLost(),
        tally.mostLostMillis(),
        tally.medianReopenNanos() / 1e6,
        tally.longestReopenNanos() / 1e6,
        tally.findings(),
        tally.broken().size());
  }

  void write(Path file) {
    try {
      Files.writeString(
          file,
          new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(this)
              + "\n");
    } catch (IOException e) {
      throw new BadArgumentException("cannot write " + file + " (" + Why.of(e) + ")", e);
    }
  }

  static TortureResults read(Path file) {
    try {
      return new ObjectMapper().readValue(Files.readString(file), TortureResults.class);
    } catch (JsonProcessingException e) {
      throw new BadArgumentException(
          file + " holds no results of a torture: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new BadArgumentException("cannot read " + file + " (" + Why.of(e) + ")", e);
    }
  }

  /** One table of several engines' results. */
  static List<String> markdown(List<TortureResults> all) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "| store | level | fault | rounds (strikes) | writes | acknowledged writes missing | reopened"
            + " in, longest | found | promise |");
    lines.add("| --- | --- | --- | ---: | ---: | --- | ---: | --- | --- |");
    for (TortureResults results : all) {
      for (Line line : results.lines) {
        lines.add(results.row(line));
      }
    }
    return lines;
  }

  private String row(Line line) {
    String begin = "| `%s` %s | `%s` | %s | ".formatted(url, version, line.level, line.fault);
    if (line.skipped != null) {
      return begin + "skipped: " + line.skipped + " | | | | | |";
    }
    return begin
        + String.format(
            Locale.ROOT,
            "%d (%d) | %,d | %s | %.0f ms, %.0f ms | %s | %s |",
            line.rounds,
            line.strikes,
            line.acknowledged,
            line.lossRounds == 0
                ? "none"
                : String.format(
                    Locale.ROOT,
                    "in %d rounds, at most %,d in %.0f ms",
                    line.lossRounds,
                    line.mostLost,
                    line.mostLostMillis),
            line.medianReopenMillis,
            line.longestReopenMillis,
            line.findings.isEmpty()
                ? "nothing"
                : line.findings.entrySet().stream()
                    .map(each -> each.getKey().words() + " in " + each.getValue())
                    .collect(Collectors.joining(", ")),
            line.promise.equals("nothing") ? "none" : line.broken > 0 ? "**broken**" : "kept");
  }
}
