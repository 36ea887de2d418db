package io.kvstadium.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.bench.fake.Phases;
import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.OpenLoop;
import io.kvstadium.bench.result.OperationLatency;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Timeline;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Rate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {
  private static final PhaseResult PHASE =
      Phases.with(
              Phases.with(
                  PhaseResult.of("read", "get", 10, 2_000),
                  2,
                  10,
                  99,
                  new Cost(-1, 5, 7, 8, -1, 9, 10L)),
              "AAAA",
              32)
          .with(
              new OpenLoop(
                  5_000,
                  true,
                  "BBBB",
                  "CCCC",
                  Rate.Limit.parse("p99 < 2ms"),
                  List.of(new OpenLoop.Try(9_000, false, 77))),
              new Timeline(50, List.of(1L, 2L), List.of(3L, 4L), List.of(0L, 1L), List.of(-1, 2)))
          .with(draft ->
              draft.byOperation =
                  List.of(
                      new OperationLatency("get", 6, "DDDD", "EEEE"),
                      new OperationLatency("update", 4, "FFFF", null)));

  static final List<Message> MESSAGES =
      List.of(
          new Message.Progress("warm-up", 0.25),
          new Message.Done(
              new TrialResult(3, -7, null, List.of(PHASE), CostCard.UNKNOWN),
              Map.of("records", "10")),
          new Message.Done(TrialResult.failed(1, 0, "it broke"), Map.of()));

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
    String line = Message.encode(MESSAGES.get(2));

    assertThatThrownBy(() -> Message.decode(line.substring(0, line.length() - 9)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cannot be read");
  }
}
