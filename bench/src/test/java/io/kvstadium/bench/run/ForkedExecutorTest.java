package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvstadium.bench.machine.Availability;
import io.kvstadium.bench.machine.ControlGroups;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.DataSpec;
import io.kvstadium.bench.suite.Specs;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.Plans;
import io.kvstadium.bench.trial.TrialMain;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.testsupport.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With real processes. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForkedExecutorTest {
  private static final long HEAP = 64L << 20;
  private static final long WATCHDOG_SECONDS = 60;
  private static final long LIMIT = 192L << 20;

  @TempDir Path directory;
  private final List<Message> messages = new ArrayList<>();

  private Message.Done run(TrialPlan plan) {
    return run(plan, HEAP);
  }

  private Message.Done run(TrialPlan plan, long heap) {
    return Runners.executor(WATCHDOG_SECONDS).run(plan, Resources.unlimited(heap), messages::add);
  }

  private TrialPlan misbehaving(String deed) {
    return Plans.misbehaving(
        directory.resolve("trial"), deed, Map.of("pid", directory.resolve("pid").toString()));
  }

  @AfterEach
  void noProcessIsLeft() throws IOException {
    assertThat(ProcessHandle.current().children().filter(this::isTrial)).isEmpty();
    Path pid = directory.resolve("pid");
    if (Files.exists(pid)) {
      assertThat(ProcessHandle.of(Long.parseLong(Files.readString(pid))))
          .matches(each -> each.isEmpty() || !each.get().isAlive());
    }
  }

  private boolean isTrial(ProcessHandle process) {
    return process.info().commandLine().orElse("").contains(TrialMain.class.getName());
  }

  @Test
  void runsATrialInAProcessOfItsOwn() {
    Message.Done done =
        run(Plans.of(directory.resolve("trial"), "memory", Access.SINGLE, Map.of()));

    assertThat(done.result().failure()).isNull();
    assertThat(done.result().phases())
        .extracting(PhaseResult::name)
        .contains("create", "insert", "get", "delete", "close");
    assertThat(done.data()).isNotEmpty();
    assertThat(messages).anySatisfy(each -> assertThat(each).isInstanceOf(Message.Progress.class));
  }

  @Test
  void aTrialsMachineHasTheOptionsOfItsConfiguration() {
    TrialPlan plan = Plans.of(directory.resolve("trial"), "memory", Access.SINGLE, Map.of());
    Path log = directory.resolve("gc.log");
    List<String> jvm = List.of("-XX:+UseSerialGC", "-Xlog:gc:file=" + log);

    Message.Done done = run(Plans.at(plan, plan.configuration().withJvm(jvm)));

    assertThat(done.result().failure()).isNull();
    assertThat(log).content().contains("Using Serial");
  }

  @Test
  void optionsThatJavaDoesNotTakeAreRefusedBeforehand() {
    ForkedExecutor executor = Runners.executor(WATCHDOG_SECONDS);

    assertThatThrownBy(() -> executor.check(List.of("-XX:+UseSerialGC", "-XX:+UseNoSuchGC")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("UseNoSuchGC");
    executor.check(List.of("-XX:+UseSerialGC"));
  }

  @Tag("full")
  @Test
  void anUnknownEngineIsTheResultsFailure() {
    Message.Done done =
        run(Plans.of(directory.resolve("trial"), "memroy", Access.SINGLE, Map.of()));

    assertThat(done.result().failure())
        .contains("unknown engine 'memroy'")
        .contains("did you mean 'memory'?");
  }

  @Tag("full")
  @Test
  void aHeapThatIsTooSmallIsSaid() {
    // given values that a heap of 16 MiB cannot hold
    TrialPlan plan = Plans.of(directory.resolve("trial"), "memory", Access.SINGLE, Map.of());
    TrialPlan large =
        new TrialPlan(
            plan.configuration(),
            1,
            1,
            plan.directory(),
            Specs.values(DataSpec.of(100_000, "uint64", "10000"), "10000", 0),
            null,
            plan.phases().subList(0, 1),
            0,
            Map.of(),
            false);

    assertThat(run(large, 16L << 20).result().failure())
        .contains("the trial's heap is too small")
        .contains("raise heap in the suite");
  }

  @Test
  void aHeapThatNoVirtualMachineTakesIsSaidInItsWords() {
    TrialPlan plan = Plans.of(directory.resolve("trial"), "memory", Access.SINGLE, Map.of());

    assertThat(run(plan, 1L << 10).result().failure()).contains("Too small").contains("heap");
  }

  @Test
  void aProcessThatDiesLeavesItsLastWords() {
    Message.Done done = run(misbehaving("halt"));

    assertThat(done.result().failure())
        .contains("exit code 42")
        .contains("first of the last words | last of the last words");
    assertThat(done.result().seed()).isEqualTo(77);
    assertThat(done.result().number()).isEqualTo(2);
    assertThat(done.result().phases()).isEmpty();
  }

  @Test
  void whatATrialUnpacksIsInItsDirectory() {
    String file = directory.getFileName() + "-unpacked";

    run(Plans.misbehaving(directory.resolve("trial"), "litter", Map.of("file", file)));

    assertThat(directory.resolve("trial")).isDirectoryRecursivelyContaining("glob:**/" + file);
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({
    "fail,the disk is on fire",
    "break,an assumption was wrong",
    "error,an assertion failed",
    "forge,a line that cannot be read"
  })
  void whateverAnEngineThrowsIsTheResultsFailure(String deed, String words) {
    assertThat(run(misbehaving(deed)).result().failure()).contains(words);
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({"prompt", "linger"})
  void whatDoesNotConcernTheTrialDoesNotDisturbIt(String deed) {
    assertThat(run(misbehaving(deed)).result().failure()).isNull();
  }

  @Test
  void aTrialThatHangsIsEnded() {
    Message.Done done =
        Runners.executor(2).run(misbehaving("hang"), Resources.unlimited(HEAP), messages::add);

    assertThat(done.result().failure()).contains("silent for too long").contains("it hung");
  }

  @Tag("full")
  @Test
  void aTrialThatWorksInSilenceIsNotTakenForDead() {
    // given a call that takes ten seconds, and a machine on which a process may take a few to start
    TrialPlan plan = misbehaving("toil");
    TrialPlan one =
        new TrialPlan(
            plan.configuration(),
            1,
            1,
            plan.directory(),
            plan.data().withRecords(1),
            null,
            plan.phases(),
            0,
            Map.of(),
            false);

    Message.Done done = Runners.executor(8).run(one, Resources.unlimited(HEAP), messages::add);

    assertThat(done.result().failure()).isNull();
  }

  @Test
  void stopEndsTheRunningTrial() {
    // given a trial that says where it is and then hangs
    ForkedExecutor executor = Runners.executor(WATCHDOG_SECONDS);
    AtomicBoolean stopped = new AtomicBoolean();
    Consumer<Message> stopping =
        message -> {
          stopped.set(true);
          executor.stop();
        };
    TrialPlan plan = misbehaving("hang");
    TrialPlan warming =
        new TrialPlan(
            plan.configuration(),
            1,
            1,
            plan.directory(),
            plan.data(),
            null,
            plan.phases(),
            1,
            Map.of(),
            false);

    // when
    Message.Done done = executor.run(warming, Resources.unlimited(HEAP), stopping);

    // then
    assertThat(stopped).isTrue();
    assertThat(done.result().failure()).contains("ended with exit code");
  }

  @Test
  void stopWithoutATrialDoesNothing() {
    Runners.executor(WATCHDOG_SECONDS).stop();
  }

  @Test
  void aTrialStaysWithinAMemoryLimitAndWhatItUsedIsThatOfItsGroup() {
    Needs.that(ControlGroups.find() instanceof Availability.Available, "control groups");

    Message.Done done =
        Runners.executor(WATCHDOG_SECONDS)
            .run(
                Plans.of(directory.resolve("trial"), "memory", Access.SINGLE, Map.of()),
                Resources.of(HEAP, LIMIT),
                messages::add);

    assertThat(done.result().failure()).isNull();
    assertThat(done.result().card().memory().anonymousBytes()).isBetween(1L << 20, LIMIT);
    assertThat(done.result().card().memory().fileBytes()).isBetween(0L, LIMIT);
    assertThat(done.result().card().memory().peakBytes()).isBetween(1L << 20, LIMIT);
  }

  @Tag("full")
  @Test
  void aTrialThatNeedsMoreThanTheLimitIsAFinding() {
    Needs.that(ControlGroups.find() instanceof Availability.Available, "control groups");

    Message.Done done =
        Runners.executor(WATCHDOG_SECONDS)
            .run(misbehaving("hoard"), Resources.of(HEAP, LIMIT), messages::add);

    assertThat(done.result().failure())
        .startsWith("killed: it needed more than the memory limit 192 MiB (its peak: 19")
        .doesNotContain("exit code");
  }

  @Test
  void aLimitThatCannotBeHadIsRefused() {
    ForkedExecutor executor =
        new ForkedExecutor(
            WATCHDOG_SECONDS,
            null,
            null,
            Map.of(),
            () -> new Availability.Unavailable("a reason", "some advice"));

    assertThatThrownBy(() -> executor.check(Resources.of(HEAP, LIMIT)))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("a reason; some advice");
    assertThat(executor.check(Resources.unlimited(HEAP)))
        .isEqualTo(TrialEnvironment.findings(System.getenv()));
  }

  @Test
  void aTrialWhoseParentIsGoneEndsByItself() throws IOException, InterruptedException {
    // given a trial that hangs
    Process trial =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                TrialMain.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile())
            .start();
    trial
        .getOutputStream()
        .write(
            (new ObjectMapper().writeValueAsString(misbehaving("hang")) + "\n")
                .getBytes(StandardCharsets.UTF_8));

    // when its parent's end of the pipe closes
    trial.getOutputStream().close();

    // then
    assertThat(trial.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(trial.exitValue()).isEqualTo(1);
  }
}
