package io.kvstadium.torture.evidence;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.torture.FaultResult;
import io.kvstadium.torture.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a torture found, as stored in a file.
 *
 * @param stadium the version of Stadium that ran it
 * @param version the version of the engine
 * @param url the URL of the stores, without a location
 * @param system the operating system and its version
 */
public record TortureResults(
    String stadium,
    String engine,
    String version,
    String url,
    long seed,
    int threads,
    String system,
    List<Line> lines) {

  /**
   * The results for one level under one fault.
   *
   * @param guarantee what was required: {@code nothing}, {@code prefix} or {@code all}
   * @param skipped why there are no rounds, or {@code null}
   * @param fileSystems how many rounds ran on which file system, if it was chosen; {@code null} in
   *     older files
   * @param refused rounds in which calls failed; {@code null} in older files
   * @param lossRounds rounds after which acknowledged writes were missing, allowed or not
   * @param findings for each class of findings, in how many rounds it occurred
   * @param broken how many findings broke the guarantee
   */
  public record Line(
      String level,
      String fault,
      String guarantee,
      @Nullable String skipped,
      @Nullable Map<String, Integer> fileSystems,
      int rounds,
      int faults,
      @Nullable Long refused,
      long acknowledged,
      long lossRounds,
      long mostLost,
      double mostLostMillis,
      double medianReopenMillis,
      double longestReopenMillis,
      Map<String, Long> findings,
      int broken) {
    private static Line of(FaultResult result) {
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

    /** Whether anything was required. */
    public boolean demands() {
      return !guarantee.equals("nothing");
    }
  }

  /** What was found so far. */
  public static TortureResults of(
      String stadium, Settings settings, EngineInfo engine, List<FaultResult> results) {
    return new TortureResults(
        stadium,
        engine.name(),
        engine.version(),
        settings.unplaced().toString(),
        settings.seed(),
        settings.threads(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        results.stream().map(Line::of).toList());
  }

  public void write(Path file) throws IOException {
    Files.writeString(
        file,
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(this)
            + "\n");
  }

  /**
   * Reads results from a file.
   *
   * @throws JsonProcessingException if the file holds something else
   */
  public static TortureResults read(Path file) throws IOException {
    return new ObjectMapper().readValue(Files.readString(file), TortureResults.class);
  }
}
