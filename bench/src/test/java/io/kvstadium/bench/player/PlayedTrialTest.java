package io.kvstadium.bench.player;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.data.EntryFile;
import io.kvstadium.bench.data.Source;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.suite.Shape;
import io.kvstadium.bench.trial.Plans;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.transfer.format.Columns;
import io.kvstadium.transfer.source.SourceOptions;
import io.kvstadium.transfer.source.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlayedTrialTest {
  private static final EngineInfo MEMORY = Engines.installed().engine("memory").info();

  @TempDir Path directory;

  private final MapPlayer player = new MapPlayer();

  private TrialPlan plan(List<PhaseSpec> phases) {
    TrialPlan plan = Plans.of(directory.resolve("trial"), "memory", Access.SINGLE, Map.of());
    return Plans.with(plan, phases);
  }

  private TrialResult play(TrialPlan plan) throws IOException {
    return new PlayedTrial(plan, MEMORY, player, _ -> {}).run().result();
  }

  @Test
  void phasesHaveTheOperationsOfATrialInJava() throws IOException {
    TrialPlan plan = plan(PlayedTrials.phases());

    TrialResult played = play(plan);

    PlayedTrials.assertAsInJava(played, plan);
    assertThat(played.phases().stream().map(PhaseResult::name))
        .startsWith("create")
        .endsWith("close");
  }

  @Test
  void severalThreadsDoWhatTheyDoInJava() throws IOException {
    TrialPlan plan = plan(PlayedTrials.together());

    PlayedTrials.assertAsInJava(play(plan), plan);
  }

  @Test
  void aRateHasResponseTimesAndABackgroundLoadAResultOfItsOwn() throws IOException {
    player.maxOperations = 150;

    TrialResult played = play(plan(PlayedTrials.loads()));

    assertThat(played.failure()).isNull();
    assertThat(played.phases())
        .extracting(PhaseResult::name)
        .containsSubsequence(
            "load", "rate", "beside writes", "writes", "beside scans", "reads", "all");
    assertThat(played.phases())
        .filteredOn(each -> each.name().equals("rate"))
        .singleElement()
        .satisfies(each -> assertThat(each.openLoop().response()).isNotNull());
  }

  @Test
  void aBulkLoadHasAllEntriesAndIsLookedAt() throws IOException {
    PhaseSpec load = PhaseSpec.of("load", Operation.LOAD);
    TrialPlan plan = plan(List.of(load, PhaseSpec.of("all", Operation.SCAN_ALL)));

    PlayedTrials.assertAsInJava(play(plan), plan);
    player.forgetful = true;

    assertThat(play(plan).failure()).contains("missed keys");
  }

  @Test
  void whatTimeCutOffIsTakenBack() throws IOException {
    player.maxOperations = 17;
    Shape adding = Shape.SINGLE.withMix(Map.of(Operation.INSERT, 0.5, Operation.UPDATE, 0.5));
    List<PhaseSpec> phases =
        List.of(
            PhaseSpec.of("load", Operation.INSERT),
            PhaseSpec.of("update", Operation.UPDATE).sized(0, 0.1),
            PhaseSpec.of("delete", Operation.DELETE).sized(0, 0.1),
            PhaseSpec.of("add", Operation.MIXED).sized(0, 0.1).withShape(adding),
            PhaseSpec.of("all", Operation.SCAN_ALL));

    TrialResult result = play(plan(phases));

    assertThat(result.failure()).isNull();
    assertThat(result.phases())
        .filteredOn(each -> each.name().equals("update"))
        .extracting(PhaseResult::operations)
        .containsExactly(17L);
  }

  @Test
  void anOwnDataSetIsLoadedByteByByte() throws IOException {
    Path csv = Files.writeString(directory.resolve("x.csv"), "id,v\n1,one\n2,\n3,three\n1,four\n");
    Path copy = directory.resolve("copy");
    EntryFile.copy(
        Sources.open(
            csv.toString(),
            new SourceOptions(
                null, new Columns("id", null, null, EntryFile.MAX_VALUE_BYTES), true, false),
            Engines.of(List.of())),
        copy,
        _ -> {});
    TrialPlan usual =
        plan(
            List.of(
                PhaseSpec.of("load", Operation.INSERT),
                PhaseSpec.of("get", Operation.GET).sized(50, 0)));
    TrialPlan plan =
        new TrialPlan(
            usual.configuration(),
            1,
            1,
            usual.directory(),
            usual.data(),
            new Source("x.csv", copy.toString()),
            usual.phases(),
            0,
            Map.of(),
            false);

    assertThat(play(plan).failure()).isNull();

    assertThat(player.entries).hasSize(3);
    assertThat(new String(player.entries.get("1".getBytes(UTF_8)), UTF_8)).contains("four");
    assertThat(new String(player.entries.get("3".getBytes(UTF_8)), UTF_8)).contains("three");
  }

  @Test
  void aPhaseHasItsOwnLevelAndANewStoreIfItWants() throws IOException {
    List<PhaseSpec> phases =
        List.of(
            PhaseSpec.of("load", Operation.INSERT),
            PhaseSpec.of("again", Operation.INSERT).withDurability(Durability.POWER),
            PhaseSpec.of("open", Operation.OPEN_GET).sized(3, 0),
            PhaseSpec.of("get", Operation.GET).sized(3, 0).withCold(true));

    assertThat(play(plan(phases)).failure()).isNull();

    assertThat(player.tasks)
        .filteredOn(each -> !each.equals("background"))
        .containsExactly(
            "open none",
            "play",
            "close",
            "open power",
            "play",
            "close",
            "play_opening none",
            "open none", // so that the log is not replayed in the cold phase
            "close",
            "open none",
            "play",
            "close");
  }
}
