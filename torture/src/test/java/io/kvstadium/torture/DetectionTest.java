package io.kvstadium.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.testsupport.Needs;
import io.kvstadium.testsupport.Randomness;
import io.kvstadium.torture.check.Guarantee;
import io.kvstadium.torture.child.JavaChild;
import io.kvstadium.torture.fault.Fault;
import io.kvstadium.torture.fault.FaultInjectors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the checker: stores that cannot keep their guarantee are detected, and others are not. */
class DetectionTest {
  private static final Torture.Listener NOBODY =
      new Torture.Listener() {
        @Override
        public void begins(Durability level, Fault fault, Guarantee guarantee) {}

        @Override
        public void ended(Round round, int number) {}
      };

  /**
   * Attempts of two rounds each to detect what cannot keep its guarantee; the first usually does.
   */
  private static final int ATTEMPTS = 40;

  @TempDir Path directory;

  private static Settings settings(
      String url, Durability level, @Nullable Durability held, Fault fault, int rounds) {
    return settings(url, level, held, fault, rounds, Randomness.seed("detection"));
  }

  private static Settings settings(
      String url, Durability level, @Nullable Durability held, Fault fault, int rounds, long seed) {
    return new Settings(
        StoreUrl.parse(url), List.of(level), held, List.of(fault), null, rounds, 3, seed, false);
  }

  private static FaultResult run(Settings settings) throws InterruptedException {
    return run(settings, null);
  }

  private static FaultResult run(Settings settings, @Nullable Path keep)
      throws InterruptedException {
    String unavailable = FaultInjectors.unavailable(settings.faults().getFirst());
    Needs.none(unavailable);
    return new Torture(settings, new JavaChild.Machines(), NOBODY)
        .run(Engines.installed(), keep, _ -> {})
        .getFirst();
  }

  /**
   * A store that promises nothing is found out by its backups. A store that was found out is kept.
   */
  @ParameterizedTest
  @CsvSource({"naive:, process, process, kill", "rocksdb:, none, process, kill"})
  void whatCannotKeepItIsDetected(String url, String level, String held, String fault)
      throws Exception {
    detect(url, level, held, fault);
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({
    "naive:, none, none, kill",
    "sqlite:, none, consistent, power",
    "lmdb:?write_map=true, process, consistent, power",
    "rocksdb:, consistent, power, power",
    "sqlite:, none, consistent, sector",
    "rocksdb:, power, consistent, lie",
    "sqlite:, power, power, lie"
  })
  void whatCannotKeepItUnderOtherFaultsIsDetected(
      String url, String level, String held, String fault) throws Exception {
    detect(url, level, held, fault);
  }

  private void detect(String url, String level, String held, String fault) throws Exception {
    FaultResult result;
    int attempt = 0;
    do {
      attempt++;
      result =
          run(
              settings(
                  url,
                  Durability.of(level),
                  Durability.of(held),
                  Fault.of(fault),
                  2,
                  Randomness.seed(url) + attempt),
              directory.resolve("kept"));
    } while (result.broken().isEmpty() && attempt < ATTEMPTS);

    assertThat(result.broken()).isNotEmpty();
    FaultResult.Broken first = result.broken().getFirst();
    assertThat(Settings.replaying(first.replay()).url()).isEqualTo(StoreUrl.parse(url));
    Path kept = directory.resolve("kept").resolve("1");
    assertThat(first.kept()).isEqualTo(kept);
    if (Fault.of(fault) != Fault.LIE) { // which may take the store's directory itself away
      assertThat(kept.resolve("store")).isNotEmptyDirectory();
    }
    assertThat(kept.resolve("finding.txt"))
        .content()
        .contains(first.finding().detail(), first.replay());
    assertThat(directory.resolve("kept")).isDirectoryNotContaining("glob:**/latest");
  }

  /** Also if a second fault, of the recovery, finds that all is durable by now. */
  @Tag("full")
  @Test
  void ofWhatIsLostItIsSaidWhatWasNotSynced() throws InterruptedException {
    FaultResult result =
        run(settings("sqlite:", Durability.NONE, Durability.POWER, Fault.SECTOR, 24));

    assertThat(result.broken())
        .isNotEmpty()
        .allSatisfy(found -> assertThat(found.evidence()).isNotEmpty());
  }

  @ParameterizedTest
  @CsvSource({"sqlite:, process, kill", "lmdb:, consistent, power"})
  void whatKeepsItIsNot(String url, String level, String fault) throws InterruptedException {
    acquit(url, level, fault);
  }

  @Tag("full")
  @ParameterizedTest
  @CsvSource({
    "rocksdb:, consistent, power",
    "sqlite:, power, power",
    "rocksdb:, power, eio",
    "lmdb:, power, full",
    "sqlite:, power, sector",
    "rocksdb:, consistent, slow"
  })
  void whatKeepsItUnderOtherFaultsIsNot(String url, String level, String fault)
      throws InterruptedException {
    acquit(url, level, fault);
  }

  private void acquit(String url, String level, String fault) throws InterruptedException {
    FaultResult result = run(settings(url, Durability.of(level), null, Fault.of(fault), 2));

    assertThat(result.broken()).isEmpty();
    assertThat(result.acknowledged()).isPositive();
    assertThat(result.longestReopenNanos()).isPositive();
  }

  @Test
  void aDirectoryWithOthersFilesIsRefused() throws Exception {
    Files.writeString(directory.resolve("mine"), "precious");

    Settings settings = settings("sqlite:" + directory, Durability.PROCESS, null, Fault.KILL, 1);

    assertThatThrownBy(() -> run(settings))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("holds something that a torture run did not make");
    assertThat(directory.resolve("mine")).hasContent("precious");
  }

  @Test
  void aDirectoryWithOthersFilesKeepsNoStores() throws Exception {
    Files.writeString(directory.resolve("mine"), "precious");

    Settings settings = settings("sqlite:", Durability.PROCESS, null, Fault.KILL, 1);

    assertThatThrownBy(() -> run(settings, directory))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("empty or does not exist");
    assertThat(directory.resolve("mine")).hasContent("precious");
  }

  @Test
  void nothingIsLeftBehind() throws Exception {
    Path place = directory.resolve("place");

    run(settings("sqlite:" + place, Durability.PROCESS, null, Fault.KILL, 1));

    try (Stream<Path> left = Files.list(place)) {
      assertThat(left).isEmpty();
    }
  }
}
