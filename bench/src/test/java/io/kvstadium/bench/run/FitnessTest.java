package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FitnessTest {
  private static final FakeEngine ABLE = FakeEngine.able("able");
  private static final FakeEngine FLEETING =
      FakeEngine.able("fleeting").without(Capability.PERSISTENT);
  private static final FakeEngine ONCE = FakeEngine.able("once").without(Capability.WRITE);
  private static final Engines ENGINES = Engines.of(List.of(ABLE, FLEETING, ONCE));
  private static final List<PhaseSpec> PHASES =
      List.of(
          PhaseSpec.of("load", Operation.INSERT),
          PhaseSpec.of("warm", Operation.GET),
          PhaseSpec.of("cold", Operation.GET).withCold(true));

  private final Fitness fitness = new Fitness(ENGINES, null);

  private static Configuration elsewhere(String engine) {
    return new Configuration(
        engine,
        engine,
        Map.of(),
        Map.of(),
        Durability.CONSISTENT,
        Access.SINGLE,
        "//host/db",
        "equal");
  }

  private static Experiment experiment(boolean kill, Configuration... configurations) {
    Experiment plain = Suites.experiment("e", "common", PHASES, configurations);
    return new Experiment(
        plain.name(),
        plain.question(),
        plain.tables(),
        plain.point(),
        plain.memory(),
        plain.paired(),
        kill,
        plain.data(),
        plain.phases(),
        plain.configurations());
  }

  @Test
  void coldPhasesRunWhereCachesCanBeDropped() {
    Configuration able = Suites.configuration("able");

    assertThat(fitness.of(able, experiment(false, able)).phases()).hasSize(3);
  }

  @Test
  void coldPhasesAreLeftOutWithTheReasonWhereNot() {
    Fitness.Fit here =
        new Fitness(ENGINES, "no rights").of(Suites.configuration("able"), experiment(false));
    Fitness.Fit server = fitness.of(elsewhere("able"), experiment(false));
    Fitness.Fit fleeting = fitness.of(Suites.configuration("fleeting"), experiment(false));

    assertThat(List.of(here, server, fleeting))
        .allSatisfy(fit -> {
          assertThat(fit.whyNot()).isNull();
          assertThat(fit.phases()).extracting(PhaseSpec::name).containsExactly("load", "warm");
          assertThat(fit.notes()).hasSize(1).first().asString().contains("phase cold is left out");
        });
    assertThat(here.notes().getFirst()).contains("no rights");
    assertThat(server.notes().getFirst()).contains("location");
    assertThat(fleeting.notes().getFirst()).contains("engine fleeting keeps nothing");
  }

  @Test
  void onlyStoresOfATrialsOwnThatAreWrittenToAndKeptAreKilled() {
    assertThat(fitness.kills(Suites.configuration("able"), experiment(true))).isTrue();
    assertThat(fitness.kills(Suites.configuration("able"), experiment(false))).isFalse();
    assertThat(fitness.kills(Suites.configuration("fleeting"), experiment(true))).isFalse();
    assertThat(fitness.kills(Suites.configuration("once"), experiment(true))).isFalse();
    assertThat(fitness.kills(elsewhere("able"), experiment(true))).isFalse();
    assertThat(fitness.kills(Suites.configuration("able", "able", Access.BATCH), experiment(true)))
        .isFalse();
  }
}
