package io.kvstadium.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.fake.FakeEngine;
import io.kvstadium.bench.fake.MapStore;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.Entry;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.EngineInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrialTest {
  @TempDir Path directory;
  private final List<Message> messages = new ArrayList<>();

  private TrialResult run(TrialPlan plan) {
    return new Trial(plan, Engines.installed(), messages::add).run(WorksetSource.of(plan));
  }

  private TrialResult run(TrialPlan plan, Engine engine) {
    return new Trial(plan, Engines.of(List.of(engine)), messages::add).run(WorksetSource.of(plan));
  }

  /** The fake, opened in another way. */
  private static Engine opening(FakeEngine fake, Function<StoreConfig, EngineStore<?>> opener) {
    return new Engine() {
      @Override
      public EngineInfo info() {
        return fake.info();
      }

      @Override
      public boolean exists(StoreConfig config) {
        return false;
      }

      @Override
      public EngineStore<?> open(StoreConfig config) {
        return opener.apply(config);
      }
    };
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RAW")
  void runsEveryPhaseInEveryAccess(Access access) {
    // given
    TrialPlan plan = Plans.of(directory, "memory", access, Map.of());

    // when
    TrialResult result = run(plan);

    // then
    assertThat(result.failure()).isNull();
    assertThat(result.number()).isEqualTo(2);
    assertThat(result.seed()).isEqualTo(77);
    assertThat(result.phases())
        .extracting(PhaseResult::name)
        .containsExactly(
            "create",
            "insert",
            "get",
            "update",
            "scan",
            "scan-all",
            "get again",
            "delete",
            "close");
    assertThat(result.phases())
        .extracting(PhaseResult::operations)
        .containsExactly(1L, 600L, 900L, 500L, 20L, 600L, 600L, 600L, 1L);
    assertThat(result.phases())
        .allSatisfy(each -> {
          assertThat(each.nanos()).isPositive();
          assertThat(each.threads()).isEqualTo(1);
        });
    assertThat(result.card().sizes().liveBytes()).isBetween(600L * (12 + 20), 600L * (12 + 40));
  }

  @Test
  void saysWhyAnEngineFailedAndKeepsNoFigures() {
    TrialResult result = run(Plans.misbehaving(directory, "fail", Map.of()));

    assertThat(result.failure()).contains("the disk is on fire");
    assertThat(result.phases()).extracting(PhaseResult::name).containsExactly("create");
    assertThat(result.card().sizes().diskBytes()).isEqualTo(-1);
  }

  @Test
  void whatReadsWrongHasNoFigures() {
    // the null engine answers every read with the same bytes
    TrialResult result =
        run(
            Plans.with(
                Plans.of(directory, "null", Access.SINGLE, Map.of()),
                List.of(Plans.phase(Operation.INSERT, 0, 0), Plans.phase(Operation.GET, 0, 0))));

    assertThat(result.failure()).contains("gave other bytes than were written");
  }

  @Test
  void aBulkLoadBeginsWithANewStore() {
    TrialPlan plan =
        Plans.with(
            Plans.of(directory, "memory", Access.SINGLE, Map.of()),
            List.of(
                Plans.phase(Operation.INSERT, 0, 0),
                Plans.phase(Operation.UPDATE, 300, 0),
                Plans.phase(Operation.DELETE, 100, 0),
                Plans.phase(Operation.LOAD, 0, 0),
                Plans.phase(Operation.GET, 900, 0)));

    TrialResult result = run(Plans.warmed(plan, 1e-6, 0));

    assertThat(result.failure()).isNull();
    assertThat(result.phases())
        .extracting(PhaseResult::operations)
        .containsExactly(1L, 600L, 300L, 100L, 600L, 900L, 1L);
    PhaseResult load = result.phases().get(4);
    assertThat(load.nanos()).isPositive();
    assertThat(load.bytes()).isEqualTo(result.phases().get(1).bytes());
    assertThat(load.histogram()).as("one call has no distribution").isNull();
  }

  @Test
  void whatTakesNoPutsIsLoadedInOneGo() {
    FakeEngine once =
        FakeEngine.able("once").without(Capability.WRITE).without(Capability.PERSISTENT);
    TrialPlan plan =
        Plans.with(
            Plans.of(directory, "once", Access.SINGLE, Map.of()),
            List.of(Plans.phase(Operation.INSERT, 0, 0), Plans.phase(Operation.GET, 900, 0)));

    TrialResult result = run(plan, once);

    assertThat(result.failure()).isNull();
    assertThat(result.phases())
        .extracting(PhaseResult::name)
        .as("the load is no figure of the inserts")
        .containsExactly("create", "get", "close");
    assertThat(result.card().sizes().liveBytes()).isBetween(600L * (12 + 20), 600L * (12 + 40));
  }

  @Test
  void aBulkLoadThatLosesEntriesHasNoFigures() {
    // given
    FakeEngine fake = FakeEngine.able("fake");
    Engine losing =
        opening(
            fake,
            config ->
                new MapStore(fake.capabilities()) {
                  @Override
                  public void bulkLoad(
                      MapTable table, Iterator<Entry<byte[], byte[]>> loaded, boolean sorted) {
                    while (loaded.hasNext()) {
                      Entry<byte[], byte[]> entry = loaded.next();
                      if (entry.key()[entry.key().length - 1] % 10 != 3) {
                        put(table, entry.key(), entry.value());
                      }
                    }
                  }
                });
    TrialPlan plan =
        Plans.with(
            Plans.of(directory, "fake", Access.SINGLE, Map.of()),
            List.of(Plans.phase(Operation.LOAD, 0, 0)));

    // when
    TrialResult result = run(plan, losing);

    // then
    assertThat(result.failure()).contains("phase load: ", "entries are missing after the load");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatATrialMadeElsewhereGoesAndWhatWasThereStays(boolean there) {
    // given a store at the user's own location, in which the warm-up fails
    AtomicInteger destroyed = new AtomicInteger();
    FakeEngine fake = FakeEngine.able("fake");
    Engine failing =
        new Engine() {
          @Override
          public EngineInfo info() {
            return fake.info();
          }

          @Override
          public boolean exists(StoreConfig config) {
            return there;
          }

          @Override
          public EngineStore<?> open(StoreConfig config) {
            return new MapStore(fake.capabilities()) {
              @Override
              public void put(MapTable table, byte[] key, byte[] value) {
                throw new StoreIoException("the server is gone", null);
              }
            };
          }

          @Override
          public void destroy(StoreConfig config) {
            destroyed.incrementAndGet();
          }
        };
    Configuration elsewhere =
        new Configuration("fake", "fake", Map.of(), Durability.NONE, Access.SINGLE, "equal")
            .at("//host/db");
    TrialPlan plan =
        Plans.at(
            Plans.warmed(Plans.of(directory, "fake", Access.SINGLE, Map.of()), 1e-6, 0), elsewhere);

    // when
    TrialResult result = run(plan, failing);

    // then
    assertThat(result.failure()).contains(there ? "there is such a store already" : "gone");
    assertThat(destroyed).hasValue(there ? 0 : 1);
  }

  @Test
  void theWarmUpIsOnAnotherStore() {
    // given an engine that counts how often it is opened
    List<EngineStore<?>> stores = new ArrayList<>();
    FakeEngine fake = FakeEngine.able("fake").only(Durability.NONE).without(Capability.PERSISTENT);
    Engine counting =
        opening(
            fake,
            config -> {
              stores.add(fake.open(config));
              return stores.getLast();
            });
    TrialPlan plan = Plans.warmed(Plans.of(directory, "fake", Access.SINGLE, Map.of()), 1e-6, 0);

    // when
    TrialResult result = run(plan, counting);

    // then
    assertThat(result.failure()).isNull();
    assertThat(stores).hasSize(2);
    assertThat(messages).first().isEqualTo(new Message.Progress("warm-up", 0));
    assertThat(messages)
        .last()
        .satisfies(each -> assertThat(each).isEqualTo(new Message.Progress("delete", 1)));
    assertThat(result.phases().get(1).operations()).isEqualTo(600);
  }

  @Test
  void aLoadAtALevelOfItsOwnBeginsWithANewStore() {
    PhaseSpec inserts = Plans.phase(Operation.MIXED, 100, 0, "grow");
    TrialPlan plan =
        Plans.with(
            Plans.of(directory, "fake", Access.SINGLE, Map.of()),
            List.of(
                Plans.phase(Operation.INSERT, 0, 0),
                inserts.withShape(inserts.shape().withMix(Map.of(Operation.INSERT, 1.0))),
                Plans.phase(Operation.INSERT, 0, 0, "load power").withDurability(Durability.POWER),
                Plans.phase(Operation.SCAN_ALL, 0, 0).withDurability(Durability.POWER)));

    TrialResult result = run(plan, FakeEngine.able("fake").without(Capability.PERSISTENT));

    assertThat(result.failure()).isNull();
    assertThat(result.phases().getLast().operations()).isEqualTo(1);
    assertThat(result.phases().get(4).operations()).isEqualTo(600);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-6, 0.4})
  void theWarmUpExpectsWhatItsOwnTurnsInsertedAndDeleted(double seconds) {
    PhaseSpec inserts = Plans.phase(Operation.MIXED, 5_000, 0, "grow");
    TrialPlan plan =
        Plans.with(
            Plans.of(directory, "memory", Access.SINGLE, Map.of()),
            List.of(
                Plans.phase(Operation.INSERT, 0, 0),
                Plans.phase(Operation.DELETE, 100, 0),
                inserts.withShape(inserts.shape().withMix(Map.of(Operation.INSERT, 1.0))),
                Plans.phase(Operation.SCAN_ALL, 0, 0)));

    TrialResult result = run(Plans.warmed(plan, seconds, 0));

    assertThat(result.failure()).isNull();
    assertThat(result.phases().get(4).operations()).isEqualTo(600 - 100 + 5_000);
  }

  @Test
  void aChunkThatThePlanNamesHoldsWithAndWithoutWarmUp() {
    TrialPlan plan = Plans.of(directory, "memory", Access.SINGLE, Map.of());

    for (double warmUp : new double[] {0, 1e-6}) {
      TrialResult result = run(Plans.warmed(plan, warmUp, 32));

      assertThat(result.failure()).isNull();
      assertThat(result.phases().get(2).batch()).isEqualTo(32);
    }
  }
}
