package io.kvstadium.bench.player;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.run.ForkedExecutor;
import io.kvstadium.bench.run.Resources;
import io.kvstadium.bench.stats.EncodedHistogram;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.trial.Plans;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.engine.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The player in Python, with whichever bindings are installed. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("full")
class PythonPlayerTest {
  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> eachBindingDoesWhatATrialInJavaDoes() {
    PlayerProgram python = PythonSetup.player(Path.of(Python.interpreter()));
    return python.engines().all().stream()
        .filter(each -> each.unavailable() == null && !each.info().name().equals("null"))
        .flatMap(each ->
            Stream.of(Access.SINGLE, Access.RAW)
                .filter(((PlayerEngine) each)::offers)
                .map(access ->
                    DynamicTest.dynamicTest(
                        each.info().name() + " " + access.word(),
                        () -> playsAsInJava(python, each, access))));
  }

  private TrialPlan plan(String engine, Access access, List<PhaseSpec> phases) {
    Map<String, String> reopen =
        engine.equals("rocksdb")
            ? Map.of("mode", "secondary", "read_only", "true")
            : Map.of("read_only", "true");
    TrialPlan usual = Plans.of(directory.resolve(engine + access), engine, access, Map.of());
    Configuration configuration =
        new Configuration(engine, engine, Map.of(), Durability.PROCESS, access, "equal")
            .reopenedWith(reopen)
            .in("python");
    return Plans.with(Plans.at(usual, configuration), phases);
  }

  private TrialResult run(PlayerProgram python, TrialPlan plan) {
    Languages languages = new Languages(Engines.of(List.of()), List.of("python"), List.of(python));
    return new ForkedExecutor(60, null, directory, languages)
        .run(plan, Resources.of(1L << 26, 0), _ -> {})
        .result();
  }

  private void playsAsInJava(PlayerProgram python, Engine engine, Access access) {
    List<PhaseSpec> phases = new ArrayList<>(PlayedTrials.phases());
    phases.add(4, PhaseSpec.of("opening", Operation.OPEN_GET).sized(20, 0));
    TrialPlan plan = plan(engine.info().name(), access, phases);

    TrialResult result = run(python, plan);

    PlayedTrials.assertAsInJava(result, plan);
    assertThat(result.card().sizes().diskBytes()).isPositive();
    assertThat(result.card().memory().anonymousBytes()).isPositive();
    assertThat(result.phases()).filteredOn(each -> each.histogram() != null).hasSize(11);
    for (PhaseResult phase : result.phases()) {
      if (phase.histogram() != null && phase.timeline() != null) {
        long calls = EncodedHistogram.decode(phase.histogram()).getTotalCount();
        long sum = phase.timeline().operations().stream().mapToLong(each -> each).sum();
        assertThat(calls).isEqualTo(Math.ceilDiv(phase.operations(), phase.batch()));
        assertThat(sum).isEqualTo(phase.operations());
      }
    }
  }

  @Test
  void whatIsLostOrWrongIsNoFigure() throws IOException {
    for (var fault :
        Map.of(
                "get = lambda self, key: None", "reads missed keys",
                "get = lambda self, key: bytes(30)", "gave other bytes",
                "scan = lambda self, start, count: []", "a scan found 0 entries",
                "put = lambda self, key, value: 1 / 0", "ZeroDivisionError: division by zero")
            .entrySet()) {
      String source = PythonSetup.player(Path.of(Python.interpreter())).command().getLast();
      Path script =
          Files.writeString(
              directory.resolve("broken.py"),
              """
              import runpy, sys
              sys.path.insert(0, %1$s)
              import engines
              engines.Sqlite.%2$s
              runpy.run_path(%1$s + "/__main__.py", run_name="__main__")
              """
                  .formatted("'" + source + "'", fault.getKey()));
      PlayerProgram broken = PlayerProgram.of(List.of(Python.interpreter(), script.toString()));

      String failure = run(broken, plan("sqlite", Access.SINGLE, PlayedTrials.phases())).failure();

      assertThat(failure).as(fault.getKey()).contains(fault.getValue());
    }
  }

  @Test
  void anInterpreterThatIsNoneIsRefused() {
    assertThatThrownBy(() -> PythonSetup.player(Path.of("/bin/false")))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContainingAll("/bin/false", "is no player, or cannot start");
  }
}
