package io.kvstadium.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.player.Languages;
import io.kvstadium.bench.player.PlayerProgram;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Experiment;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.trial.Declared;
import io.kvstadium.bench.trial.EngineDeclaration;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.EngineInfo;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EligibilityTest {
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

  private final Eligibility eligibility = new Eligibility(Languages.java(ENGINES), null);

  private static Configuration elsewhere(String engine) {
    return new Configuration(
            engine, engine, Map.of(), Durability.CONSISTENT, Access.SINGLE, "equal")
        .at("//host/db");
  }

  private static Experiment experiment(Configuration... configurations) {
    return Suites.experiment("e", PHASES, configurations);
  }

  /** Its stores have no batches, with the options that are given; the engine has. */
  private static final class Sparing implements Engine {
    private final Engine able = FakeEngine.able("sparing");

    @Override
    public EngineInfo info() {
      return able.info();
    }

    @Override
    public Set<Capability> capabilities(StoreConfig config) {
      Set<Capability> capabilities = EnumSet.copyOf(info().capabilities());
      capabilities.remove(Capability.BATCH);
      return capabilities;
    }

    @Override
    public boolean exists(StoreConfig config) throws Exception {
      return able.exists(config);
    }

    @Override
    public EngineStore<?> open(StoreConfig config) throws Exception {
      return able.open(config);
    }
  }

  @Test
  void whatTheOptionsTakeAwayIsNotCountedOn() {
    Configuration sparing = Suites.configuration("sparing");
    Experiment loads =
        Suites.experiment(
            "e", List.of(PhaseSpec.of("load", Operation.INSERT).withBatch(100)), sparing);

    Eligibility.Fit fit =
        Suites.fit(
            new Eligibility(Languages.java(Engines.of(List.of(new Sparing()))), null),
            sparing,
            loads);

    assertThat(fit.phases()).extracting(phase -> phase.shape().batch()).containsExactly(1);
    assertThat(fit.notes()).singleElement().asString().contains("single writes");
  }

  @Test
  void whatIsMissingHereDoesNotMatterForAStoreOnAServer() {
    Engines engines = Engines.of(List.of(FakeEngine.able("absent").unavailableFor("no program")));
    Eligibility eligibility = new Eligibility(Languages.java(engines), null);

    assertThat(Suites.fit(eligibility, Suites.configuration("absent"), experiment()).whyNot())
        .isEqualTo("no program");
    assertThat(Suites.fit(eligibility, elsewhere("absent"), experiment()).whyNot()).isNull();
  }

  @Test
  void aPhaseAtALevelOfItsOwnNeedsAnEngineThatGivesItAndIsNotRunTwice() {
    Configuration able = Suites.configuration("able");
    Configuration weak = Suites.configuration("weak").withDurability(Durability.PROCESS);
    Configuration strong = able.withDurability(Durability.POWER);
    PhaseSpec update = PhaseSpec.of("update", Operation.UPDATE);
    List<PhaseSpec> phases =
        List.of(
            PhaseSpec.of("load", Operation.INSERT),
            update,
            PhaseSpec.of("update power", Operation.UPDATE).withDurability(Durability.POWER));
    Engines engines =
        Engines.of(
            List.of(FakeEngine.able("able"), FakeEngine.able("weak").only(Durability.PROCESS)));
    Eligibility eligibility = new Eligibility(Languages.java(engines), null);

    assertThat(Suites.fit(eligibility, able, Suites.experiment("e", phases, able)).phases())
        .hasSize(3);
    for (Configuration each : List.of(weak, strong)) {
      Eligibility.Fit fit = Suites.fit(eligibility, each, Suites.experiment("e", phases, each));
      assertThat(fit.whyNot()).isNull();
      assertThat(fit.phases()).hasSize(2);
      assertThat(fit.missing()).singleElement().asString().contains("update power");
    }
  }

  @Test
  void coldPhasesRunWhereCachesCanBeDropped() {
    Configuration able = Suites.configuration("able");

    assertThat(Suites.fit(eligibility, able, experiment(able)).phases()).hasSize(3);
  }

  @Test
  void coldPhasesAreLeftOutWithTheReasonWhereNot() {
    Eligibility.Fit here =
        Suites.fit(
            new Eligibility(Languages.java(ENGINES), "no rights"),
            Suites.configuration("able"),
            experiment());
    Eligibility.Fit server = Suites.fit(eligibility, elsewhere("able"), experiment());
    Eligibility.Fit fleeting =
        Suites.fit(eligibility, Suites.configuration("fleeting"), experiment());

    assertThat(List.of(here, server, fleeting))
        .allSatisfy(fit -> {
          assertThat(fit.whyNot()).isNull();
          assertThat(fit.phases()).extracting(PhaseSpec::name).containsExactly("load", "warm");
          assertThat(fit.missing())
              .singleElement()
              .asString()
              .contains("phase cold is not measured");
        });
    assertThat(here.missing().getFirst()).contains("no rights");
    assertThat(server.missing().getFirst()).contains("location");
    assertThat(fleeting.missing().getFirst()).contains("engine fleeting keeps nothing");
  }

  @Test
  void aLevelThatTortureBrokeIsNamedAsTheReason() {
    EngineDeclaration declared =
        Declared.store("badger", List.of("write", "persistent"), Map.of("none", "", "process", ""));
    PlayerProgram player =
        new PlayerProgram(
            List.of(),
            new Message.Hello(
                3, "go", "go 1", Set.of(), List.of(declared.without(Set.of("process")))));
    Eligibility eligibility =
        new Eligibility(new Languages(Engines.of(List.of()), List.of("go"), List.of(player)), null);
    Configuration configuration =
        Suites.configuration("badger").in("go").withDurability(Durability.PROCESS);
    Experiment reads =
        Suites.experiment("e", List.of(PhaseSpec.of("read", Operation.GET)), configuration);

    assertThat(eligibility.of(configuration, reads, 16).whyNot())
        .contains("torture")
        .endsWith("it has: none");
    assertThat(eligibility.of(configuration.withDurability(Durability.POWER), reads, 16).whyNot())
        .doesNotContain("torture");
  }

  @Test
  void keysThatATraceCannotHaveAreNotPlayed() {
    EngineDeclaration lmdb =
        Declared.store("lmdb", List.of("write", "persistent"), Map.of("consistent", ""));
    PlayerProgram player =
        new PlayerProgram(
            List.of(), new Message.Hello(3, "python", "Python 3", Set.of(), List.of(lmdb)));
    Eligibility eligibility =
        new Eligibility(
            new Languages(Engines.of(List.of()), List.of("python"), List.of(player)), null);
    Configuration configuration = Suites.configuration("lmdb").in("python");
    Experiment loads =
        Suites.experiment("e", List.of(PhaseSpec.of("load", Operation.INSERT)), configuration);

    assertThat(eligibility.of(configuration, loads, 16_384).whyNot()).isNull();
    assertThat(eligibility.of(configuration, loads, 16_385).whyNot())
        .contains("keys of more than 16,384 bytes");
  }
}
