package io.kvstadium.torture.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.testsupport.Needs;
import io.kvstadium.testsupport.Randomness;
import io.kvstadium.torture.check.Finding;
import io.kvstadium.torture.fault.Fault;
import io.kvstadium.torture.fault.FaultInjectors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of docs/torture-program.md, right and wrong, and programs that keep no contract. */
class ProgramTortureTest {
  private static final ProgramTorture.Listener NOBODY =
      new ProgramTorture.Listener() {
        @Override
        public void begins(Fault fault) {}

        @Override
        public void ended(ProgramRound round) {}
      };

  private static final Path EXAMPLES = Path.of("../examples/torture");

  /** Accepts what has a file {@code done} with as many lines as were acknowledged, or more. */
  private static final String COUNTS =
      "[ $(wc -l < {dir}/done) -ge $(wc -l) ] || { echo too few; exit 1; }";

  @TempDir Path directory;

  private static ProgramSettings settings(String program, String check, Fault fault, int rounds) {
    return new ProgramSettings(
        program,
        check,
        List.of(fault),
        null,
        rounds,
        null,
        Duration.ofSeconds(20),
        Randomness.seed(program),
        false,
        2);
  }

  private static ProgramResult run(String program, String check, Fault fault, int rounds)
      throws InterruptedException {
    Needs.none(FaultInjectors.unavailable(fault));
    return new ProgramTorture(settings(program, check, fault, rounds), NOBODY)
        .run(null, null)
        .getFirst();
  }

  /** The command lines of an example: its program, and its check. */
  private String[] example(String name) {
    return switch (name) {
      case "counter" ->
          new String[] {
            "sh " + EXAMPLES.resolve("counter.sh") + " {dir}",
            "sh " + EXAMPLES.resolve("counter-check.sh") + " {dir}"
          };
      case "orders" ->
          new String[] {
            "python3 " + EXAMPLES.resolve("orders.py") + " {dir}",
            "python3 " + EXAMPLES.resolve("orders_check.py") + " {dir}"
          };
      default -> {
        String java = compiled("Documents.java", "DocumentsCheck.java");
        yield new String[] {java + "Documents {dir}", java + "DocumentsCheck {dir}"};
      }
    };
  }

  /** The beginning of a command with examples, compiled once and not in each round. */
  private String compiled(String... sources) {
    String classPath = System.getProperty("java.class.path");
    List<String> arguments =
        Stream.concat(
                Stream.of("-d", directory.toString(), "-cp", classPath),
                Stream.of(sources).map(source -> EXAMPLES.resolve(source).toString()))
            .toList();
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, arguments.toArray(String[]::new)))
        .isZero();
    return Path.of(System.getProperty("java.home"), "bin", "java")
        + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dengine=sqlite -cp '"
        + directory
        + ":"
        + classPath
        + "' ";
  }

  @ParameterizedTest
  @CsvSource({"counter, KILL, 4", "counter, SECTOR, 4"})
  void aRightProgramHolds(String name, Fault fault, int rounds) throws Exception {
    holds(name, fault, rounds);
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({
    "counter, KILL, 200",
    "counter, POWER, 200",
    "counter, SECTOR, 200",
    "counter, EIO, 50",
    "counter, FULL, 20",
    "orders, KILL, 200",
    "orders, POWER, 200",
    "orders, SECTOR, 200",
    "documents, KILL, 200",
    "documents, POWER, 200",
    "documents, SECTOR, 200"
  })
  void aRightProgramHoldsForLong(String name, Fault fault, int rounds) throws Exception {
    holds(name, fault, rounds);
  }

  private void holds(String name, Fault fault, int rounds) throws Exception {
    String[] commands = example(name);

    ProgramResult result = run(commands[0], commands[1], fault, rounds);

    assertThat(result.broken()).isEmpty();
    assertThat(result.rounds()).hasSize(rounds);
    assertThat(result.acknowledged()).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"counter, 'rename of counter.tmp to counter'"})
  void aWrongProgramIsFoundOutWithTheCallThatWasNotDurable(String name, String evidence)
      throws Exception {
    isFoundOut(name, evidence);
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({"orders, orders.db", "documents, 'documents: '"})
  void otherWrongProgramsAreFoundOut(String name, String evidence) throws Exception {
    isFoundOut(name, evidence);
  }

  private void isFoundOut(String name, String evidence) throws Exception {
    String[] commands = example(name);

    ProgramResult result = run(commands[0] + " careless", commands[1], Fault.SECTOR, 50);

    assertThat(result.isFailure()).isTrue();
    assertThat(result.broken())
        .anySatisfy(
            found -> assertThat(found.evidence()).anyMatch(line -> line.contains(evidence)));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          prints nothing               | touch {dir}/done                   | true      | no line
          dies at once                 | echo broken >&2; exit 3            | true      | code 3
          its check accepts everything | echo 1 >{dir}/done; echo 1         | true {dir} | empty
          its check refuses everything | echo 1 >{dir}/done; echo 1         | echo no {dir}; exit 1 | refuses
          its check ignores {dir}      | echo 1 >{dir}/done; echo 1         | true      | {dir}
          """)
  void whatCannotBeJudgedIsRefused(String name, String program, String check, String reason) {
    String usable = check.equals("true") && !reason.equals("{dir}") ? COUNTS : check;

    assertThatThrownBy(() -> run(program + " # {dir}", usable, Fault.KILL, 2))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining(reason);
  }

  /** A child in a session of its own, whose parent ends, is still ended with the program. */
  @Test
  void whatForksAwayIsEndedToo() throws Exception {
    Path marks = directory.resolve("marks");
    String program =
        "setsid sh -c 'while :; do echo 1 >>{dir}/done; echo 1; echo $$ >>" + marks + "; done' &";

    ProgramResult result = run(program, COUNTS, Fault.KILL, 2);

    assertThat(result.rounds()).hasSize(2);
    long last = Long.parseLong(Files.readAllLines(marks).getLast());
    ProcessHandle.of(last)
        .ifPresent(child -> assertThat(child.onExit()).succeedsWithin(Duration.ofSeconds(20)));
  }

  /** As Python does with PYTHONUNBUFFERED: a line that is not whole yet is no hang. */
  @Test
  void theEndOfALineMayComeLater() throws Exception {
    Path held = directory.resolve("held");
    String program = "printf 1; while ! [ -e '" + held + "' ]; do :; done; echo; sleep 1000";

    try (ProgramProcess process = new ProgramProcess(List.of("sh", "-c", program), directory)) {
      CompletableFuture<Boolean> found = CompletableFuture.supplyAsync(() -> awaitLine(process));
      while (process.files().getFirst().toFile().length() == 0) {
        Thread.onSpinWait();
      }
      assertThat(found).isNotDone();
      Files.createFile(held);

      assertThat(found).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(true);
    }
  }

  private static boolean awaitLine(ProgramProcess process) {
    try {
      return process.awaitLine(Duration.ofSeconds(20));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatIsWrittenOutsideIsSaid() throws Exception {
    Path outside = directory.resolve("outside");
    String program =
        "exec 3>>" + outside + "; while :; do echo 1 >>{dir}/done; echo 1; sleep 0.01; done";

    ProgramResult result = run(program, COUNTS, Fault.KILL, 3);

    assertThat(result.outside()).contains(outside.toString());
  }

  @Test
  void whatIsWrittenOutsideForAMomentIsSaid() throws Exception {
    Needs.none(FaultInjectors.unavailable(Fault.EIO)); // strace
    Path outside = directory.resolve("outside");
    String program =
        "while :; do echo 1 >>{dir}/done; echo 1 >>'" + outside + "'; echo 1; sleep 0.01; done";

    ProgramResult result = run(program, COUNTS, Fault.KILL, 1);

    assertThat(result.outside()).containsExactly(outside.toString());
  }

  @Test
  void ofAProgramThatHangsItIsSaidWhatItDoes() throws Exception {
    ProgramSettings settings =
        new ProgramSettings(
            "[ ! -e {dir}/done ] || exec sleep 1000; echo 1 | tee {dir}/done; sleep 1000",
            COUNTS,
            List.of(Fault.KILL),
            null,
            8, // in some the fault comes at the start
            null,
            Duration.ofSeconds(4),
            Randomness.seed("hang"),
            false,
            1);

    ProgramResult result = new ProgramTorture(settings, NOBODY).run(null, null).getFirst();

    assertThat(result.broken().getFirst().finding().kind()).isEqualTo(Finding.Kind.HANG);
    assertThat(result.broken().getFirst().finding().detail()).contains("sleep: S");
  }

  @Test
  void aProgramMayEndByItself() throws Exception {
    String program = "for i in 1 2 3; do echo 1 >>{dir}/done; echo 1; done";

    ProgramResult result = run(program, COUNTS, Fault.KILL, 3);

    assertThat(result.broken()).isEmpty();
    assertThat(result.acknowledged()).isPositive();
  }

  @Test
  void aLineToReplayIsReadBack() {
    ProgramSettings settings = settings("work {dir}", "check {dir}", Fault.KILL, 9);

    ProgramSettings again = settings.replaying(ProgramSettings.replay(Fault.POWER, "ext4", -7, 3));

    assertThat(again.faults()).containsExactly(Fault.POWER);
    assertThat(again.seed()).isEqualTo(-7);
    assertThat(again.rounds()).isEqualTo(3);
    assertThat(again.repeats()).isTrue();
  }
}
