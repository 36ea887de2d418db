package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.bench.result.Cost;
import io.kvstadium.bench.result.CostCard;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.Network;
import io.kvstadium.bench.result.Pace;
import io.kvstadium.bench.result.PhaseResult;
import io.kvstadium.bench.result.Timeline;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.run.Rendezvous.Window;
import io.kvstadium.bench.stats.EncodedHistogram;
import io.kvstadium.bench.trial.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MergedClientsTest {
  private final List<String> told = new ArrayList<>();
  private long now;
  private final Rendezvous two =
      new Rendezvous(2, (client, said) -> told.add(client + " " + said), () -> now);

  private static Message.Arrived at(String step, String said) {
    return new Message.Arrived(step, said, -1);
  }

  // ---- waiting for one another

  @Test
  void theLastOneLetsAllGoOnAndAllLearnWhatEachSaid() {
    two.arrived(1, at("end load", "b"));
    assertThat(told).isEmpty();

    two.arrived(0, at("end load", "a"));

    assertThat(told).containsExactly("0 [a, b]", "1 [a, b]");
    assertThat(two.failure()).isNull();
  }

  @Test
  void aPhaseLastsFromTheWordToBeginToTheLastEnd() {
    // given two that begin 5 and 30 after the signal; the second one's clock is another one's
    two.arrived(0, at("begin read", ""));
    now = 1_000;
    two.arrived(1, at("begin read", ""));
    now = 1_020;
    two.begun(0, new Message.Begun("read", 1_005));
    now = 1_030;
    two.begun(1, new Message.Begun("read", 77));

    // when the first one takes longer
    two.arrived(0, new Message.Arrived("end read", "", 400));
    two.arrived(1, new Message.Arrived("end read", "", 300));

    // then
    assertThat(two.windows()).containsExactly(Map.entry("read", new Window(405, 30, 700)));
  }

  @Test
  void afterAFailureNobodyGoesOnAndTheStoreIsLeftWhenAllHaveClosedIt() {
    // given one that waits
    two.arrived(0, at("end load", ""));

    // when the other one dies
    two.ended(1, "the process ended");

    // then the first one learns of it, closes, and may remove the store
    assertThat(told).containsExactly("0 []");
    two.arrived(0, at(Message.Arrived.FAILED, "another client failed"));
    assertThat(told).containsExactly("0 []", "0 []");
    assertThat(two.failure()).isEqualTo("client 2 of 2: the process ended");
  }

  @Test
  void oneThatFailsWaitsUntilTheOthersHaveClosedTheStore() {
    two.arrived(0, at(Message.Arrived.FAILED, "a read gave other bytes"));
    assertThat(told).isEmpty();

    two.arrived(1, at("end load", ""));
    assertThat(told).containsExactly("1 []");
    two.ended(1, "another client failed");

    assertThat(told).containsExactly("1 []", "0 []");
    assertThat(two.failure()).isEqualTo("client 1 of 2: a read gave other bytes");
  }

  @Test
  void clientsThatAreNotAtTheSameStepFail() {
    two.arrived(0, at("end load", ""));
    two.arrived(1, at("begin read", ""));

    assertThat(told).containsExactly("0 []", "1 []");
    assertThat(two.failure()).contains("client 2").contains("'begin read'");
  }

  // ---- one result of several

  private static String histogram(long... nanos) {
    Histogram histogram = new Histogram(3);
    for (long each : nanos) {
      histogram.recordValue(each);
    }
    return EncodedHistogram.of(histogram);
  }

  private static PhaseResult read(long operations, long nanos, @Nullable Pace pace, Timeline line) {
    return PhaseResult.of("read", "get", operations, nanos)
        .with(2, operations, 10 * operations, new Cost(7, 3, -1, 0).withCompilation(operations))
        .withHistogram(histogram(operations), 1)
        .with(pace, line, null);
  }

  private static TrialResult client(long createNanos, PhaseResult read, long trip) {
    return new TrialResult(
        4,
        99,
        null,
        List.of(
            PhaseResult.of("create", "create", 1, createNanos),
            read,
            PhaseResult.of("close", "close", 1, createNanos)),
        CostCard.UNKNOWN,
        null,
        new Network(List.of(trip), Map.of(), List.of()));
  }

  private static Timeline line(long interval, List<Long> operations) {
    List<Long> same = operations.stream().map(each -> 1L).toList();
    return new Timeline(
        interval, operations, same, same, operations.stream().map(each -> -1).toList());
  }

  @Test
  void allOperationsOverTheCommonTime() {
    // given clients that spent four fifths of their time in timed parts
    TrialResult one = client(50, read(300, 800, null, line(100, List.of(1L, 2L, 3L))), 11);
    TrialResult other = client(90, read(100, 400, null, line(200, List.of(5L))), 22);

    // when
    TrialResult merged =
        MergedClients.of(
            List.of(one, other), Map.of("read", new Window(1_000, 40, 1_500)), List.of("a", "b"));

    // then
    assertThat(merged.number()).isEqualTo(4);
    assertThat(merged.network())
        .isEqualTo(new Network(List.of(11L, 22L), Map.of("read", 40L), List.of("a", "b")));
    assertThat(merged.phases()).extracting(PhaseResult::nanos).containsExactly(50L, 800L, 90L);
    PhaseResult read = merged.phases().get(1);
    assertThat(read.operations()).isEqualTo(400);
    assertThat(read.threads()).isEqualTo(4);
    assertThat(read.bytes()).isEqualTo(4_000);
    assertThat(read.cost()).isEqualTo(new Cost(14, 3, -1, 0).withCompilation(300));
    assertThat(EncodedHistogram.decode(String.valueOf(read.histogram())).getTotalCount())
        .isEqualTo(2);
    assertThat(read.timeline())
        .isEqualTo(
            new Timeline(200, List.of(8L, 3L), List.of(3L, 1L), List.of(2L, 1L), List.of(-1, -1)));
  }

  @Test
  void aRateIsHeldIfEachClientHeldItsPart() {
    Pace held = new Pace(500, "constant", true, histogram(3), histogram(1), null, List.of());
    Pace not = new Pace(500, "constant", false, histogram(9), histogram(1), null, List.of());
    Timeline line = line(100, List.of(1L));

    TrialResult merged =
        MergedClients.of(
            List.of(client(1, read(5, 10, held, line), 1), client(1, read(5, 10, not, line), 1)),
            Map.of("read", new Window(10, 0, 20)),
            List.of());

    Pace pace = merged.phases().get(1).pace();
    assertThat(pace.held()).isFalse();
    assertThat(pace.rate()).isEqualTo(500);
    assertThat(EncodedHistogram.decode(pace.response()).getTotalCount()).isEqualTo(2);
  }

  @Test
  void clientsThatBeginFarApartAreWarnedOf() {
    TrialResult trial =
        MergedClients.of(
            List.of(client(1, read(5, 100, null, line(100, List.of(1L))), 1_000)),
            Map.of("read", new Window(100, 11, 100)),
            List.of());

    assertThat(Remarks.network("mine", List.of(trial)))
        .extracting(Finding::level)
        .containsExactly(Finding.Level.NOTE, Finding.Level.WARNING);
  }
}
