package io.kvstadium.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LogTest {
  private static String line(Log.Form form) {
    List<String> lines = new ArrayList<>();
    Log log = new Log(form, () -> Instant.parse("2026-11-23T01:02:03.004Z"), lines::add);
    log.event("cut-off", "two\nlines of \"text\"", "held", 5, "user", "a b\u0001");
    return lines.getFirst();
  }

  @Test
  void anEventIsOneLineInEachForm() {
    assertThat(line(Log.Form.TEXT)).isEqualTo("2026-11-23T01:02:03.004Z two lines of \"text\"");
    assertThat(line(Log.Form.PAIRS))
        .isEqualTo(
            "time=2026-11-23T01:02:03.004Z event=cut-off held=5 user=\"a b\\u0001\""
                + " message=\"two\\u000alines of \\\"text\\\"\"");
    assertThat(line(Log.Form.JSON))
        .isEqualTo(
            "{\"time\":\"2026-11-23T01:02:03.004Z\",\"event\":\"cut-off\",\"held\":5,"
                + "\"user\":\"a b\\u0001\",\"message\":\"two\\u000alines of \\\"text\\\"\"}");
  }
}
