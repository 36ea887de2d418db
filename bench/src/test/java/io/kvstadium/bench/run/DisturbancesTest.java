package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.machine.OtherPrograms.Ticks;
import io.kvstadium.bench.suite.Configuration;
import io.kvstadium.bench.text.Finding.Level;
import io.kvstadium.store.Durability;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DisturbancesTest {
  @Test
  void saysHowManyTrialsRanBesideOthers() {
    Disturbances two = new Disturbances(2);
    two.add("lmdb", 0.02);
    two.add("lmdb", 0.13);
    two.add("h2", 0.45);

    assertThat(two.findings())
        .singleElement()
        .satisfies(each -> {
          assertThat(each.level()).isEqualTo(Level.WARNING);
          assertThat(each.message()).contains("0.9 of 2", "2 of 3", "h2, lmdb");
        });
  }

  /** A local server is another process, and its work is the store's. */
  @ParameterizedTest
  @CsvSource({"redis,//localhost/0,0", "postgresql,'',0", "mysql,'',0", "lmdb,'',1"})
  void theServerOfAStoreIsNoOtherProgram(String engine, String location, int findings) {
    Disturbances two = new Disturbances(2);
    Configuration configuration =
        new Configuration(
                engine, engine, Map.of(), Durability.PROCESS, Configuration.Access.SINGLE, "equal")
            .at(location);
    long[] looks = {0};

    two.watch(configuration, () -> new Ticks(100 * looks[0], 90 * looks[0]++), () -> 0);

    assertThat(two.findings()).hasSize(findings);
  }

  @Test
  void littleIsNotWorthAWord() {
    Disturbances two = new Disturbances(2);
    two.add("lmdb", 0.12); // less than a quarter of a processor
    Disturbances many = new Disturbances(64);
    many.add("lmdb", 0.05); // three processors, and plenty are left

    assertThat(two.findings()).isEmpty();
    assertThat(many.findings()).isEmpty();
  }
}
