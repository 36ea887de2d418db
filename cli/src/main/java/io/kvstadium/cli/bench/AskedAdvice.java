package io.kvstadium.cli.bench;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvstadium.bench.report.table.Json;
import io.kvstadium.cli.io.Version;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.internal.Why;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What advice was asked for, in the directory of the run, so that an interrupted one can be
 * resumed.
 *
 * @param stadium its version
 * @param arguments of the whole command line, with passwords masked
 * @param engineFolders of engines, or {@code null} if they were on the class path
 * @param data the name of the user's own data, whose copy is in the directory, or {@code null}
 * @param spent seconds of the budget that were over before the first trial
 */
record AskedAdvice(
    String stadium,
    List<String> arguments,
    @Nullable String engineFolders,
    @Nullable String data,
    double spent) {
  private static final String FILE = "asked.json";

  /** Whether there is one in a directory. */
  static boolean isIn(Path directory) {
    return Files.exists(directory.resolve(FILE));
  }

  /** Removes it from the directory of a run that did not begin. */
  static void remove(Path directory) {
    AdviseCommand.discard(directory.resolve(FILE));
  }

  /** The arguments after the name of the command. */
  List<String> after(String command) {
    return arguments.subList(arguments.indexOf(command) + 1, arguments.size());
  }

  void write(Path directory) {
    try {
      Files.writeString(directory.resolve(FILE), Json.text(this));
    } catch (IOException e) {
      throw new BadArgumentException(
          "cannot write to the directory " + directory + " (" + Why.of(e) + ")", e);
    }
  }

  /**
   * @throws BadArgumentException if there is none, it was answered, or another version asked
   */
  static AskedAdvice read(Path directory) {
    Path file = directory.resolve(FILE);
    if (!isIn(directory)) {
      throw new BadArgumentException(
          "there is no advice to resume in "
              + directory
              + ", because it has no "
              + FILE
              + ": give the directory of an advise that was interrupted");
    }
    if (Files.exists(directory.resolve(AdviseCommand.ANSWER))) {
      throw new BadArgumentException(
          "the advice in "
              + directory
              + " is complete: read "
              + directory.resolve(AdviseCommand.ANSWER)
              + ", or start a new one");
    }
    AskedAdvice asked;
    try {
      asked = new ObjectMapper().readValue(file.toFile(), AskedAdvice.class);
    } catch (JacksonException e) {
      throw new BadArgumentException(
          file + " is damaged (" + e.getOriginalMessage() + "): start a new advise", e);
    } catch (IOException e) {
      throw new BadArgumentException("cannot read " + file + " (" + Why.of(e) + ")", e);
    }
    if (!asked.stadium.equals(Version.number())) {
      throw new BadArgumentException(
          "the advice in "
              + directory
              + " was asked of Stadium "
              + asked.stadium
              + ", and this is "
              + Version.number()
              + ": resume with that version, or start a new one");
    }
    return asked;
  }
}
