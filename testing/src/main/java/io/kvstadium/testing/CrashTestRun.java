package io.kvstadium.testing;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.torture.child.Home;
import io.kvstadium.torture.child.JavaChild;
import io.kvstadium.torture.child.Shell;
import io.kvstadium.torture.fault.Fault;
import io.kvstadium.torture.program.ProgramResult;
import io.kvstadium.torture.program.ProgramRound;
import io.kvstadium.torture.program.ProgramSettings;
import io.kvstadium.torture.program.ProgramTorture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/** A class with a {@link CrashTest}, as a program and its check. */
record CrashTestRun(Class<?> type, CrashTest test) {
  private static final ProgramTorture.Listener NOBODY =
      new ProgramTorture.Listener() {
        @Override
        public void begins(Fault fault) {}

        @Override
        public void ended(ProgramRound round) {}
      };

  /** The faults, each once; of a line to replay its own. */
  List<Fault> faults() {
    List<Fault> wanted = List.of(test.faults());
    if (!test.replay().isEmpty()) {
      try {
        return settings("{dir}", "{dir}", wanted).faults();
      } catch (BadArgumentException e) {
        return wanted; // the run says it
      }
    }
    return wanted.stream().distinct().toList();
  }

  /**
   * Injects a fault.
   *
   * @throws BadArgumentException if the class cannot be tested
   */
  ProgramResult inject(Fault fault) throws IOException, InterruptedException {
    checkMethods();
    try (Home home = Home.at(null)) {
      String java = java(home.directory());
      ProgramTorture torture =
          new ProgramTorture(
              settings(
                  java + command(CrashTestMain.WORK),
                  java + command(CrashTestMain.CHECK),
                  List.of(fault)),
              NOBODY);
      List<ProgramResult> results = torture.run(null, null);
      if (torture.isInterrupted()) {
        throw new InterruptedException("this virtual machine was ended before the rounds were");
      }
      return results.getFirst();
    }
  }

  private ProgramSettings settings(String work, String check, List<Fault> faults) {
    ProgramSettings settings =
        new ProgramSettings(
            work,
            check,
            faults,
            null,
            test.rounds(),
            null,
            Duration.ofSeconds(test.patience()),
            test.seed() == 0 ? ThreadLocalRandom.current().nextLong() : test.seed(),
            false,
            Runtime.getRuntime().availableProcessors());
    return test.replay().isEmpty() ? settings : settings.replaying(test.replay());
  }

  private void checkMethods() {
    try {
      CrashTestMain.work(type);
      CrashTestMain.check(type);
      CrashTestMain.constructor(type);
    } catch (NoSuchMethodException e) {
      throw new BadArgumentException(
          type.getName()
              + " lacks "
              + e.getMessage()
              + ": a class with @CrashTest has work(Path, Acknowledged), check(Path, List<String>)"
              + " and a constructor without parameters",
          e);
    }
  }

  /** The beginning of a command; a class path may be too long for one. */
  private static String java(Path home) throws IOException {
    List<String> command = JavaChild.java(home);
    Path arguments = home.resolve("java.args");
    Path temporary = Files.createDirectory(home.resolve("tmp")); // what dying processes leave
    Files.writeString(
        arguments,
        command.stream()
            .skip(1)
            .map(word -> '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
            .collect(Collectors.joining("\n", "", "\n-XX:-UsePerfData\n")));
    return "exec "
        + Shell.quoted(command.getFirst())
        + " @"
        + Shell.quoted(arguments.toString())
        + " -Djava.io.tmpdir="
        + Shell.quoted(temporary.toString())
        + ' '
        + CrashTestMain.class.getName();
  }

  private String command(String method) {
    return " " + method + " " + Shell.quoted(type.getName()) + " " + ProgramSettings.DIRECTORY;
  }
}
