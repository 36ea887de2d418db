package io.kvstadium.cli.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuietWaitTest {
  private static final long LOOK = 30_000_000_000L;

  private int looks;

  @ParameterizedTest(
      name = "busy for {0} looks, --wait-quiet {1}, the user types {2} (E: Enter): {3} looks")
  @CsvSource({
    "0, , E, 1", // a quiet machine: nobody is asked
    "9, , , 0", // nobody is there, and nothing was said: the run itself warns
    "9, 0, E, 0",
    "9, , gE, 1",
    "9, , E, 13", // until it was quiet four times
    "9, , EE, 1", // a second Enter goes on
    "9, , '', 1", // no answer can come
    "3, 9, , 7",
    "999, 2, , 5", // four looks of half a minute
  })
  void waitsAsLongAsTheUserWants(
      int busy, @Nullable Double minutes, @Nullable String said, int expected) throws IOException {
    QuietWait wait =
        new QuietWait(
            () -> looks++ < busy ? 0.9 : 0,
            2,
            () -> looks * LOOK,
            new PrintStream(new ByteArrayOutputStream(), true, UTF_8));

    wait.await(
        minutes,
        said == null ? null : new ByteArrayInputStream(said.replace('E', '\n').getBytes(UTF_8)));

    assertThat(looks).isEqualTo(expected);
  }
}
