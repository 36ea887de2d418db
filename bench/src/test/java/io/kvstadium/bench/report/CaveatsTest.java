package io.kvstadium.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CaveatsTest {
  private static final String NOISE =
      "other programs took up to 1.9 of 2 processors during 18 of 18 trials: end them and measure"
          + " again";

  @Test
  void aLongTextIsCutBetweenWordsAndNotWithinBrackets() {
    String words = "word ".repeat(60).strip();

    assertThat(Caveats.cut(NOISE + " (affected: berkeleydb, h2, lmdb, mapdb, mvstore, rocksdb)"))
        .isEqualTo(NOISE + " …");
    assertThat(Caveats.cut(words)).matches("(word )+…").hasSizeBetween(120, 135);
    assertThat(Caveats.cut("x".repeat(200))).hasSizeLessThan(140);
    assertThat(Caveats.cut(NOISE)).isEqualTo(NOISE);
  }
}
