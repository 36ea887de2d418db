package io.kvstadium.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.TrialResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {
  private static final PhaseResult PHASE =
      new PhaseResult("read", 10, 2_000, 2, 99, 0, 0, -1, 5, 32, "AAAA");

  static final List<Message> MESSAGES =
      List.of(
          new Message.Progress("warm-up", 0.25),
          new Message.Baseline(List.of(PHASE)),
          new Message.Done(
              new TrialResult(3, -7, null, List.of(PHASE), 1, 2, 3, 4), Map.of("records", "10")),
          new Message.Done(new TrialResult(1, 0, "it broke", List.of(), -1, -1, -1, -1), Map.of()));

  @ParameterizedTest
  @FieldSource("MESSAGES")
  void isReadAsItWasWritten(Message message) {
    String line = Message.encode(message);

    assertThat(line).startsWith(Message.MARK).doesNotContain("\n", "\r");
    assertThat(Message.decode(line)).isEqualTo(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "loading...", "{\"type\":\"note\"}", "@stadiu"})
  void otherLinesAreNoMessages(String line) {
    assertThat(Message.decode(line)).isNull();
  }

  @Test
  void isFoundBehindWhatAnEnginePrintedWithoutALineEnd() {
    Message message = MESSAGES.getFirst();

    assertThat(Message.decode("loading... " + Message.encode(message))).isEqualTo(message);
  }

  @Test
  void aLineThatIsCutOffIsRefused() {
    String line = Message.encode(MESSAGES.get(3));

    assertThatThrownBy(() -> Message.decode(line.substring(0, line.length() - 9)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cannot be read");
  }
}
