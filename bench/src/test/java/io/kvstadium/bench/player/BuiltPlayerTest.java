package io.kvstadium.bench.player;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.run.ForkedExecutor;
import io.kvstadium.bench.run.PlayerCheck;
import io.kvstadium.bench.run.Resources;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.suite.Configuration.Access;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.bench.suite.PhaseSpec;
import io.kvstadium.bench.trial.EngineDeclaration;
import io.kvstadium.bench.trial.Plans;
import io.kvstadium.bench.trial.TrialPlan;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.testsupport.Needs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The players that a user's own toolchain builds. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("full")
class BuiltPlayerTest {
  @TempDir static Path players;
  private static final Map<String, PlayerProgram> BUILT = new HashMap<>();

  @TempDir Path directory;

  static List<BuiltPlayer> all() {
    return BuiltPlayer.ALL;
  }

  /** Each player with each of its engines. */
  static Stream<Arguments> engines() {
    return all().stream()
        .flatMap(each ->
            Stream.concat(each.engines().stream(), Stream.of("null"))
                .map(engine -> Arguments.of(each, engine)));
  }

  /** Built once; the test is skipped where its tool is missing. */
  private static PlayerProgram built(BuiltPlayer player) {
    String[] path = System.getenv("PATH").split(File.pathSeparator);
    for (BuiltPlayer.Tool tool : player.tools()) {
      boolean present =
          Stream.of(path).anyMatch(each -> Files.isExecutable(Path.of(each, tool.name())));
      Needs.that(present, tool.name(), tool.name());
    }
    return BUILT.computeIfAbsent(player.language(), _ -> player.player(players, _ -> {}));
  }

  @ParameterizedTest
  @MethodSource("all")
  void itHasTheEnginesThatAreKnownWithoutItAndIsBuiltOnce(BuiltPlayer player) {
    PlayerProgram program = built(player);
    List<String> said = new ArrayList<>();

    assertThat(program.hello().engines())
        .extracting(EngineDeclaration::name)
        .filteredOn(each -> !each.equals("null"))
        .containsExactlyElementsOf(player.engines());
    assertThat(program.hello().engines())
        .allSatisfy(each -> assertThat(each.version()).matches("[0-9.]+"));
    assertThat(player.player(players, said::add).command()).isEqualTo(program.command());
    assertThat(said).isEmpty();
  }

  @Test
  void aToolThatIsMissingIsNamed() {
    BuiltPlayer other =
        new BuiltPlayer(
            "go",
            List.of(),
            List.of("go.mod"),
            List.of(new BuiltPlayer.Tool("no-such-tool", "version", 1, 25, "https://go.dev")),
            List.of(),
            "player");

    assertThatThrownBy(() -> other.player(players, _ -> {}))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContainingAll("no-such-tool", "1.25 or newer", "https://go.dev");
  }

  @ParameterizedTest
  @MethodSource("engines")
  void eachStoreDoesWhatATrialInJavaDoes(BuiltPlayer player, String engine) throws IOException {
    if (engine.equals("null")) {
      return;
    }
    List<PhaseSpec> phases = new ArrayList<>(PlayedTrials.phases());
    phases.add(4, PhaseSpec.of("opening", Operation.OPEN_GET).sized(20, 0));

    playsAsInJava(player, engine, phases);
    playsAsInJava(player, engine, PlayedTrials.together());
    TrialResult loads = run(player, plan(player, engine, PlayedTrials.loads()));
    assertThat(loads.failure()).isNull();
    assertThat(loads.phases())
        .extracting(PhaseResult::name)
        .containsSubsequence(
            "load", "rate", "beside writes", "writes", "beside scans", "reads", "all");
  }

  @ParameterizedTest
  @MethodSource("engines")
  void noneHasAFault(BuiltPlayer player, String engine) throws IOException {
    assertThat(new PlayerCheck(built(player), directory, _ -> {}).check(declared(player, engine)))
        .isEmpty();
  }

  private static EngineDeclaration declared(BuiltPlayer player, String engine) {
    return built(player).hello().engines().stream()
        .filter(each -> each.name().equals(engine))
        .findFirst()
        .orElseThrow();
  }

  private void playsAsInJava(BuiltPlayer player, String engine, List<PhaseSpec> phases)
      throws IOException {
    TrialPlan plan = plan(player, engine, phases);

    PlayedTrials.assertAsInJava(run(player, plan), plan);
  }

  private TrialPlan plan(BuiltPlayer player, String engine, List<PhaseSpec> phases)
      throws IOException {
    Path own = Files.createTempDirectory(directory, engine);
    boolean none = declared(player, engine).durability().containsKey("none");
    Configuration configuration =
        new Configuration(
                engine,
                engine,
                Map.of(),
                none ? Durability.NONE : Durability.PROCESS,
                Access.SINGLE,
                "equal")
            .in(player.language());
    return Plans.with(
        Plans.at(Plans.of(own, engine, Access.SINGLE, Map.of()), configuration), phases);
  }

  private TrialResult run(BuiltPlayer player, TrialPlan plan) {
    Languages languages =
        new Languages(Engines.of(List.of()), List.of(player.language()), List.of(built(player)));
    return new ForkedExecutor(60, null, directory, languages)
        .run(plan, Resources.of(1L << 28, 0), _ -> {})
        .result();
  }
}
