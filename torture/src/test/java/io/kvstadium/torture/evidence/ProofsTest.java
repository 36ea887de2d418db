package io.kvstadium.torture.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.declare.DurabilityMapping;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Evidence;
import io.kvstadium.store.engine.declare.Limits;
import io.kvstadium.store.engine.declare.Loss;
import io.kvstadium.torture.evidence.TortureResults.Line;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said about a level, depending on what was found. */
class ProofsTest {
  private static final DurabilityMapping PROCESS =
      DurabilityMapping.process("log", Evidence.argued("a page"));
  private static final DurabilityMapping POWER =
      DurabilityMapping.power("sync", Evidence.documented("an address"));

  private static final EngineInfo ENGINE =
      new EngineInfo(
          "some",
          "Some",
          "1.2",
          "none",
          "An engine.",
          "Nowhere.",
          true,
          Set.of(),
          new Limits(1, 1),
          DurabilityMapping.levels(PROCESS, POWER),
          List.of(),
          List.of(),
          false);

  private static Line line(
      Durability level, String fault, String guarantee, int rounds, int broken) {
    return new Line(
        level.word(),
        fault,
        guarantee,
        null,
        null,
        rounds,
        rounds,
        null,
        9,
        0,
        0,
        0,
        1,
        1,
        Map.of(),
        broken);
  }

  private static TortureResults results(String version, String url, Line... lines) {
    return new TortureResults("0", "some", version, url, 1, 3, "a system", List.of(lines));
  }

  private static String words(DurabilityMapping mapping, TortureResults... results) {
    return new Proofs(List.of(results)).words(ENGINE, mapping);
  }

  @Test
  void withoutTorturesItIsWhatTheEngineDeclares() {
    assertThat(words(PROCESS)).isEqualTo("argued (a page)");
    assertThat(words(POWER)).isEqualTo("documented (an address)");
    assertThat(words(DurabilityMapping.none("nothing", Loss.ANYTHING, Loss.ANYTHING)))
        .isEqualTo("none needed");
  }

  @Test
  void fewRoundsAreToldAsSuch() {
    Line kills = line(Durability.POWER, "kill", "all", 12, 0);

    assertThat(words(POWER, results("1.2", "some:", kills), results("1.2", "some:", kills)))
        .isEqualTo("tortured (kill 24 rounds), documented (an address)");
  }

  @Test
  void enoughRoundsOfEachFaultThatTheLevelIsAboutProveIt() {
    Line kills = line(Durability.PROCESS, "kill", "all", 200, 0);
    Line cuts = line(Durability.PROCESS, "power", "nothing", 200, 0);
    assertThat(words(PROCESS, results("1.2", "some:", kills, cuts)))
        .isEqualTo("proven (kill 200 rounds)");

    TortureResults some =
        results(
            "1.2",
            "some:",
            line(Durability.POWER, "kill", "all", 200, 0),
            line(Durability.POWER, "power", "all", 300, 0));
    assertThat(words(POWER, some)).startsWith("tortured (kill 200, power 300 rounds)");
    assertThat(
            words(
                POWER,
                some,
                results("1.2", "some:", line(Durability.POWER, "sector", "all", 200, 0))))
        .isEqualTo("proven (kill 200, power 300, sector 200 rounds)");
  }

  @Test
  void oneFindingBreaksIt() {
    TortureResults broken =
        results("1.2", "some:", line(Durability.PROCESS, "kill", "all", 200, 1));

    assertThat(words(PROCESS, broken)).isEqualTo("broken (kill: 1 finding in 200 rounds)");
    assertThat(new Proofs(List.of(broken)).isBroken(ENGINE, PROCESS)).isTrue();
    assertThat(new Proofs(List.of(broken)).isBroken(ENGINE, POWER)).isFalse();
  }

  @Test
  void failingDisksAreToldBesideAndBreakNoLevel() {
    Line kills = line(Durability.PROCESS, "kill", "all", 200, 0);
    Line full = line(Durability.PROCESS, "full", "all", 24, 0);
    Line flushes = line(Durability.PROCESS, "eio", "all", 200, 2);

    assertThat(words(PROCESS, results("1.2", "some:", kills, full, flushes)))
        .isEqualTo(
            "proven (kill 200 rounds); on failing disks eio: 2 findings in 200 rounds, full: no"
                + " finding in 24 rounds");
    assertThat(new Proofs(List.of(results("1.2", "some:", flushes))).isBroken(ENGINE, PROCESS))
        .isFalse();
    assertThat(words(PROCESS, results("1.2", "some:", full)))
        .isEqualTo("argued (a page); on failing disks full: no finding in 24 rounds");
  }

  @Test
  void whatAnotherVersionOrOtherOptionsDidSaysNothing() {
    Line kills = line(Durability.PROCESS, "kill", "all", 200, 0);

    assertThat(words(PROCESS, results("1.1", "some:", kills), results("1.2", "some:?a=b", kills)))
        .isEqualTo("argued (a page)");
  }

  @Test
  void theProgramHasItsResults(@TempDir Path directory) throws IOException {
    List<TortureResults> committed = Proofs.committed().all();

    assertThat(committed).extracting(TortureResults::engine).contains("rocksdb", "lmdb", "sqlite");
    Path file = directory.resolve("copy.json");
    committed.getFirst().write(file);
    assertThat(TortureResults.read(file)).isEqualTo(committed.getFirst());
  }
}
