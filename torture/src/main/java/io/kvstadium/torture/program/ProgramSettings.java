package io.kvstadium.torture.program;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.torture.child.Shell;
import io.kvstadium.torture.fault.DiskFormat;
import io.kvstadium.torture.fault.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a run with a program.
 *
 * @param program a command line for {@code sh}; {@code {dir}} is the directory under test
 * @param check the same for the program that checks
 * @param faults each is tested separately
 * @param format under power cuts; {@code null} for a random available one
 * @param rounds for each fault
 * @param window the longest time from the program's first line to the fault; {@code null} for its
 *     own run, as far as that is short
 * @param patience the longest wait for a first line, or for the check
 * @param seed of all that is random
 * @param repeats whether the seed is that of a sequence, which is repeated until it finds something
 * @param lanes how many sequences run at once
 */
public record ProgramSettings(
    String program,
    String check,
    List<Fault> faults,
    @Nullable DiskFormat format,
    int rounds,
    @Nullable Duration window,
    Duration patience,
    long seed,
    boolean repeats,
    int lanes) {
  /** What stands for the directory under test. */
  public static final String DIRECTORY = "{dir}";

  private static final Pattern REPLAY =
      Pattern.compile(
          "fault=(?<fault>\\S+)(?: fs=(?<fs>\\S+))? seed=(?<seed>-?\\d{1,18}\\d?)"
              + " rounds=(?<rounds>\\d{1,7})");

  private static final int MAX_ROUNDS = 1_000_000;

  public ProgramSettings {
    faults = List.copyOf(faults);
    requireDirectory("--program", program);
    requireDirectory("--check", check);
    if (rounds < 1 || rounds > MAX_ROUNDS) {
      throw new BadArgumentException(
          "--rounds " + rounds + ": give a number from 1 to " + MAX_ROUNDS);
    }
    if (faults.contains(Fault.SERVER)) {
      throw new BadArgumentException(
          "--faults server: it is for engines that start a server; kill ends all processes of a"
              + " program");
    }
  }

  private static void requireDirectory(String option, String command) {
    if (!command.contains(DIRECTORY)) {
      throw new BadArgumentException(
          option
              + " '"
              + command
              + "' does not name "
              + DIRECTORY
              + ": write "
              + DIRECTORY
              + " where the command takes the directory under test");
    }
  }

  /** These settings for the sequence of a line that was printed with a finding. */
  public ProgramSettings replaying(String line) {
    Matcher matcher = REPLAY.matcher(line.strip());
    if (!matcher.matches()) {
      throw new BadArgumentException(
          "'" + line + "' is not a line to replay: give the whole line printed with a finding");
    }
    return new ProgramSettings(
        program,
        check,
        List.of(Fault.of(matcher.group("fault"))),
        matcher.group("fs") == null ? null : DiskFormat.of(matcher.group("fs")),
        Integer.parseInt(matcher.group("rounds")),
        window,
        patience,
        Long.parseLong(matcher.group("seed")),
        true,
        1);
  }

  static String replay(Fault fault, String fileSystem, long seed, int rounds) {
    return "fault=%s%s seed=%d rounds=%d"
        .formatted(fault.word(), fileSystem.isEmpty() ? "" : " fs=" + fileSystem, seed, rounds);
  }

  /**
   * The words of a command of theirs, with the directory as {@code sh} takes it. It runs where this
   * process runs, also in another mount namespace.
   */
  static List<String> words(String command, Path directory) {
    String place = Shell.quoted(Path.of("").toAbsolutePath().toString());
    return List.of(
        "sh",
        "-c",
        "cd "
            + place
            + " || exit\n"
            + command.replace(DIRECTORY, Shell.quoted(directory.toString())));
  }
}
