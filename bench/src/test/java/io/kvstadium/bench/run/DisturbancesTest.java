package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.result.Finding.Level;
import org.junit.jupiter.api.Test;

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
