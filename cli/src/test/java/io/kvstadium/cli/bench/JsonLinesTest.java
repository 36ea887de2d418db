package io.kvstadium.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.kvstadium.bench.text.Finding;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonLinesTest {
  @Test
  void eachEventIsALineAndWhatGoesOnIsSaidOnce() throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    try (JsonLines lines = new JsonLines(new PrintStream(written, true, StandardCharsets.UTF_8))) {
      lines.warned(new Finding(Finding.Level.WARNING, "environment", "a \"load\"\nof 2"));
      lines.progress("lmdb", 1, "read", 0, -1);
      lines.progress("lmdb", 1, "read", 0.1, -1);
      lines.progress("lmdb", 1, "update", 0.2, 7.5);
      lines.close(); // as the report does before it prints
    }

    List<JsonNode> events = new ArrayList<>();
    for (String line : written.toString(StandardCharsets.UTF_8).lines().toList()) {
      events.add(new JsonMapper().readTree(line));
    }
    assertThat(events)
        .extracting(each -> each.get("event").asText())
        .containsExactly("warning", "phase", "phase", "end");
    assertThat(events.get(0).get("message").asText()).isEqualTo("a \"load\"\nof 2");
    assertThat(events.get(1).get("secondsLeft").isNull()).isTrue();
    assertThat(events.get(2).get("secondsLeft").asDouble()).isEqualTo(7.5);
    assertThat(events.get(2).get("phase").asText()).isEqualTo("update");
  }
}
