package io.kvstadium.bench.run;

import static io.kvstadium.bench.plan.Suites.configuration;
import static io.kvstadium.bench.plan.Suites.experiment;
import static io.kvstadium.bench.plan.Suites.phase;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.plan.Plan.LeftOut;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.player.PlayerProgram;
import io.kvstadium.bench.result.ConfigurationResult;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.ExperimentResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.text.Finding;
import io.kvstadium.bench.trial.Declared;
import io.kvstadium.bench.trial.EngineDeclaration;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResultCollectorTest {
  private final Engines engines = Engines.of(List.of(FakeEngine.able("a")));
  private final Configuration tuned =
      new Configuration(
          "tuned", "a", Map.of("cache", "64 m&b"), Durability.POWER, Access.BATCH, "power");
  private final ResultCollector collector =
      new ResultCollector(
          experiment(
              "one",
              List.of(phase(Operation.INSERT), phase(Operation.GET)),
              configuration("a"),
              tuned),
          Languages.java(engines),
          (engine, level) -> engine.name() + " at " + level.effective().word() + ": proven");

  private static TrialResult trial(int number) {
    return new TrialResult(number, 5, null, List.of(), CostCard.UNKNOWN);
  }

  @Test
  void theEvidenceOfALevelIsWhatTheCallerSays() {
    assertThat(collector.result(List.of()).configurations())
        .extracting(ConfigurationResult::evidence)
        .containsExactly("a at consistent: proven", "a at power: proven");
  }

  @Test
  void aBrokenPromiseOfWhatRanIsAWarningWithItsName() {
    ResultCollector broken =
        new ResultCollector(
            experiment("one", List.of(phase(Operation.GET)), configuration("a"), tuned),
            Languages.java(engines),
            new LevelEvidence() {
              @Override
              public String words(EngineInfo engine, DurabilityMapping level) {
                return "broken (10 findings)";
              }

              @Override
              public boolean isBroken(EngineInfo engine, DurabilityMapping level) {
                return level.effective() == Durability.POWER;
              }
            });

    broken.result(List.of());

    assertThat(broken.broken())
        .containsExactly(
            new Finding(
                Finding.Level.WARNING,
                "tuned",
                "torture broke a promise: tuned at power, broken (10 findings)"));
  }

  @Test
  void aLevelAtWhichAPlayersStoreIsNotToBeUsedIsAWarning() {
    EngineDeclaration declared =
        Declared.store("b", List.of("write"), Map.of("consistent", "", "power", "sync"));
    PlayerProgram player =
        new PlayerProgram(
            List.of(),
            new Message.Hello(
                Message.PROTOCOL,
                "go",
                "go 1",
                Set.of(),
                List.of(declared.without(Set.of("power")))));
    Configuration played = configuration("b").in("go");
    ResultCollector withdrawn =
        new ResultCollector(
            experiment("one", List.of(phase(Operation.GET)), played),
            new Languages(Engines.of(List.of()), List.of("go"), List.of(player)),
            LevelEvidence.DECLARED);

    withdrawn.result(List.of());

    assertThat(withdrawn.broken())
        .containsExactly(
            new Finding(
                Finding.Level.WARNING,
                played.name(),
                "durability power is not offered: a kill or a power cut broke it in torture"));
  }

  @Test
  void sortsTrialsByNumber() {
    collector.add("a", trial(2), Map.of());
    collector.add("a", trial(3), Map.of("records", "10"));
    collector.add("a", trial(1), Map.of());

    ExperimentResult result = collector.result(List.of());

    assertThat(result.configurations().getFirst().trials())
        .containsExactly(trial(1), trial(2), trial(3));
    assertThat(result.configurations().get(1).trials()).isEmpty();
    assertThat(result.data()).containsExactly(Map.entry("records", "10"));
    assertThat(result.phases()).containsExactly("create", "open", "insert", "get", "close");
  }

  @Test
  void whatWasOpenedCanBeReadFromTheResult() {
    ConfigurationResult result = collector.result(List.of()).configurations().get(1);

    assertThat(result.plan()).isEqualTo(tuned);
    assertThat(result.plan().url("…")).hasToString("a:…?cache=64%20m%26b&durability=power");
    assertThat(result.effective()).isEqualTo(Durability.POWER);
    assertThat(result.settings()).isEqualTo("set to power");
  }

  @Test
  void whatWasSkippedMayLackItsEngine() {
    ExperimentResult result =
        collector.result(
            List.of(new LeftOut("one", configuration("absent"), "it is not installed")));

    ConfigurationResult skipped = result.configurations().getLast();
    assertThat(skipped.name()).isEqualTo("absent");
    assertThat(skipped.title()).isEqualTo("absent");
    assertThat(skipped.skipped()).isEqualTo("it is not installed");
  }

  @Test
  void whatRanCannotLackItsEngine() {
    ResultCollector wrong =
        new ResultCollector(
            experiment("one", List.of(phase(Operation.GET)), configuration("absent")),
            Languages.java(engines),
            LevelEvidence.DECLARED);

    assertThatThrownBy(() -> wrong.result(List.of()))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("unknown engine 'absent'");
    assertThatThrownBy(() -> wrong.add("other", trial(1), Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no configuration other");
  }
}
