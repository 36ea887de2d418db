package io.kvstadium.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventType.SKIPPED;

import io.kvstadium.testsupport.Needs;
import io.kvstadium.torture.fault.Fault;
import io.kvstadium.torture.fault.FaultInjectors;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineDiscoveryResults;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Right and wrong classes; nested, so that none runs by itself. */
class CrashTestTest {
  private static EngineTestKit.Builder selected(Class<?> type) {
    return EngineTestKit.engine(new CrashTestEngine()).selectors(selectClass(type));
  }

  private static EngineExecutionResults run(Class<?> type) {
    return selected(type).execute();
  }

  /** The message of the one test that failed. */
  private static String failure(Class<?> type) {
    List<String> failures = failures(run(type));
    assertThat(failures).hasSize(1);
    return failures.getFirst();
  }

  /** The messages of tests that failed. */
  private static List<String> failures(EngineExecutionResults results) {
    return results.testEvents().failed().stream()
        .map(Event::getPayload)
        .map(payload -> (TestExecutionResult) payload.orElseThrow())
        .map(result -> result.getThrowable().orElseThrow().getMessage())
        .toList();
  }

  /** Lines in a file. */
  static final class Lines {
    static final String FILE = "lines";
    static final int MAX_LINES = 5000;

    /** More than fit in the longest time to a fault. */
    static final int ENDLESS = 100_000_000;

    /** Checks what each of these must keep. */
    void check(Path directory, List<String> acknowledged) throws IOException {
      Path file = directory.resolve(FILE);
      Set<String> found =
          Files.exists(file) ? new HashSet<>(Files.readAllLines(file)) : new HashSet<>();
      for (String line : acknowledged) {
        if (!found.contains(line)) {
          throw new AssertionError(line + " is missing");
        }
      }
    }

    void append(Path directory, Acknowledged acknowledged, boolean syncs) throws IOException {
      try (FileChannel file =
              FileChannel.open(
                  directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
          FileChannel parent = FileChannel.open(directory)) {
        parent.force(true);
        for (int i = 0; i < MAX_LINES; i++) {
          String line = ProcessHandle.current().pid() + "-" + i;
          // apart from what a cut may leave of the last one, and of the next one
          file.write(ByteBuffer.wrap(("\n" + line + "\n").getBytes(StandardCharsets.UTF_8)));
          if (syncs) {
            file.force(true);
          }
          acknowledged.add(line);
        }
      }
    }
  }

  @CrashTest(faults = Fault.KILL, rounds = 4, seed = 1)
  static final class KeepsAtKills {
    void work(Path directory, Acknowledged acknowledged) throws IOException {
      System.out.println("not an acknowledgement");
      new Lines().append(directory, acknowledged, false);
    }

    void check(Path directory, List<String> acknowledged) throws IOException {
      new Lines().check(directory, acknowledged);
    }
  }

  @CrashTest(faults = Fault.KILL, rounds = 6, seed = 1)
  static final class LosesItsBuffer {
    void work(Path directory, Acknowledged acknowledged) throws IOException {
      try (BufferedWriter file =
          Files.newBufferedWriter(
              directory.resolve(Lines.FILE),
              StandardOpenOption.CREATE,
              StandardOpenOption.APPEND)) {
        for (int i = 0; i < Lines.ENDLESS; i++) { // it is killed before
          String line = ProcessHandle.current().pid() + "-" + i;
          file.write(line + "\n");
          acknowledged.add(line);
        }
      }
    }

    void check(Path directory, List<String> acknowledged) throws IOException {
      new Lines().check(directory, acknowledged);
    }
  }

  @CrashTest(
      faults = {Fault.SECTOR, Fault.LIE},
      rounds = 4,
      seed = 1)
  static final class Syncs {
    void work(Path directory, Acknowledged acknowledged) throws IOException {
      new Lines().append(directory, acknowledged, true);
    }

    void check(Path directory, List<String> acknowledged) throws IOException {
      new Lines().check(directory, acknowledged);
    }
  }

  @CrashTest(faults = Fault.SECTOR, rounds = 4, seed = 1)
  static final class DoesNotSync {
    void work(Path directory, Acknowledged acknowledged) throws IOException {
      new Lines().append(directory, acknowledged, false);
    }

    void check(Path directory, List<String> acknowledged) throws IOException {
      new Lines().check(directory, acknowledged);
    }
  }

  @CrashTest(faults = Fault.KILL)
  static final class SeesNothing {
    void work(Path directory, Acknowledged acknowledged) {
      acknowledged.add("something");
    }

    void check(Path directory, List<String> acknowledged) {}
  }

  @CrashTest(faults = Fault.KILL)
  static final class HasNoCheck {
    void work(Path directory, Acknowledged acknowledged) {
      acknowledged.add("something");
    }
  }

  @CrashTest(
      faults = {Fault.KILL, Fault.POWER},
      replay = "fault=kill seed=-7 rounds=3")
  @Disabled("it has its reasons")
  @Tag("slow")
  static final class Repeats {
    void work(Path directory, Acknowledged acknowledged) {
      acknowledged.add("something");
    }

    void check(Path directory, List<String> acknowledged) {}
  }

  @Test
  void whatSurvivesKillsPasses() {
    EngineExecutionResults results = run(KeepsAtKills.class);

    results.testEvents().assertStatistics(events -> events.started(1).succeeded(1));
  }

  @Test
  void whatIsAcknowledgedTooEarlyFailsWithTheLineThatRepeatsIt() {
    String message = failure(LosesItsBuffer.class);

    assertThat(message)
        .contains("FAILED_CHECK", "is missing")
        .containsPattern("@CrashTest\\(replay = \"fault=kill seed=-?\\d+ rounds=\\d+\"\\)");
  }

  @Tag("full")
  @Test
  void whatIsSyncedSurvivesTheLossOfSectorsAndTheCheckSeesALie() {
    Needs.none(FaultInjectors.unavailable(Fault.SECTOR));

    EngineExecutionResults results = run(Syncs.class);

    assertThat(failures(results)).isEmpty();
    results.testEvents().assertStatistics(events -> events.started(2).succeeded(2));
  }

  @Tag("full")
  @Test
  void whatIsNotSyncedIsNamed() {
    Needs.none(FaultInjectors.unavailable(Fault.SECTOR));

    assertThat(failure(DoesNotSync.class)).contains("not synced: ", Lines.FILE);
  }

  @Test
  void aCheckThatSeesNothingIsAFailure() {
    assertThat(failure(SeesNothing.class)).contains("empty directory");
  }

  @Test
  void aClassWithoutACheckIsAFailure() {
    assertThat(failure(HasNoCheck.class)).contains(HasNoCheck.class.getName(), "check");
  }

  @Test
  void whatIsNotPossibleHereIsSkippedWithTheReason() {
    String user = System.getProperty("user.name");
    System.setProperty("user.name", "nobody"); // what rights are recognized by
    try {
      assertThat(
              run(Syncs.class).testEvents().skipped().stream()
                  .map(event -> event.getPayload().orElseThrow().toString()))
          .hasSize(2)
          .allSatisfy(reason -> assertThat(reason).contains("root"));
    } finally {
      System.setProperty("user.name", user);
    }
  }

  @Test
  void aLineToReplayIsTheOnlyTestAndTagsAndDisabledAreHeeded() {
    EngineDiscoveryResults found = selected(Repeats.class).discover();
    TestDescriptor type = found.getEngineDescriptor().getChildren().iterator().next();

    assertThat(type.getChildren())
        .singleElement()
        .satisfies(fault -> assertThat(fault.getTags()).hasToString("[slow]"));
    assertThat(
            run(Repeats.class).allEvents().stream()
                .filter(event -> event.getType() == SKIPPED)
                .map(event -> event.getPayload().orElseThrow()))
        .containsExactly("it has its reasons");
  }
}
