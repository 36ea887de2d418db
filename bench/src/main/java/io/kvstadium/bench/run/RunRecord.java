package io.kvstadium.bench.run;

import io.kvstadium.bench.suite.Settings;
import io.kvstadium.bench.plan.Plan;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * What must be known to resume an interrupted run: {@code plan.json} in its directory. It is
 * written before the first trial, and only the same version of Stadium can read it.
 *
 * @param stadium version of Stadium
 * @param folders of engines, or {@code null} if they are on the class path
 * @param settings what the user asked for
 * @param plan what it was to do
 */
record RunRecord(String stadium, @Nullable String folders, Settings settings, Plan plan) {
  /** Name of the file in the run's directory. */
  static final String FILE = "plan.json";

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();

  RunRecord withPlan(Plan other) {
    return new RunRecord(stadium, folders, settings, other);
  }

  /** Writes it so that there is either the old file or the complete new one. */
  void write(Path directory) {
    Path file = directory.resolve(FILE);
    Path part = directory.resolve(FILE + ".part");
    try {
      MAPPER.writeValue(part.toFile(), this);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new StoreIoException(
          "cannot write the plan to " + file + ": " + e + "; choose a place that can be written",
          e);
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @param version of this Stadium
   * @throws BadArgumentException if there is nothing to resume
   */
  static RunRecord read(Path directory, String version) {
    Path file = directory.resolve(FILE);
    try {
      JsonNode tree = MAPPER.readTree(Files.readString(file));
      String theirs = tree.path("stadium").asText("unknown");
      if (!theirs.equals(version)) {
        throw new BadArgumentException(
            "the run in "
                + directory
                + " was begun by Stadium "
                + theirs
                + ", and this is "
                + version
                + ": resume with that version, or start a new run");
      }
      return MAPPER.treeToValue(tree, RunRecord.class);
    } catch (NoSuchFileException e) {
      throw new BadArgumentException(
          "there is no run to resume in "
              + directory
              + ", because it has no "
              + FILE
              + ": give the directory of a run that was interrupted",
          e);
    } catch (JacksonException e) {
      throw new BadArgumentException(
          file + " cannot be understood (" + e.getOriginalMessage() + "): start a new run", e);
    } catch (IOException e) {
      throw new BadArgumentException("cannot read " + file + ": " + e, e);
    }
  }
}
