package io.kvstadium.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Durability;
import io.kvstadium.store.engine.declare.EngineInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CandidateTest {
  private static final long MIB = 1 << 20;
  private static final EngineInfo A = Tunable.named("a").info();
  private static final EngineInfo B = Tunable.named("b").info();

  private static List<String> names(long data, long heap) {
    return Candidate.of(List.of(A), data, heap, 0).stream().map(Candidate::name).toList();
  }

  @Test
  void cachesGrowWithTheDataUpToHalfOfTheHeap() {
    assertThat(names(100 * MIB, 512 * MIB))
        .containsExactly("a", "a cache=32m", "a cache=128m", "a block=16k", "a filter=10");
    assertThat(names(100 * MIB, 128 * MIB))
        .contains("a cache=32m", "a cache=64m")
        .doesNotContain("a cache=128m");
    assertThat(names(5 * MIB, 512 * MIB))
        .as("no more than usual")
        .noneMatch(n -> n.contains("cache"));
  }

  @Test
  void allEnginesAsTheyComeAreFirst() {
    assertThat(Candidate.of(List.of(A, B), MIB, MIB, 0))
        .extracting(Candidate::name)
        .containsExactly("a", "b", "a block=16k", "b block=16k", "a filter=10", "b filter=10");
  }

  @Test
  void aPartOfTheDataHasThatPartOfTheCacheWhetherGivenOrNot() {
    Candidate usual = new Candidate(A, Map.of());
    Candidate other = usual.with("cache", "64m").with("block", "16k");

    assertThat(usual.on(0.25, Durability.PROCESS).options()).isEqualTo(Map.of("cache", "2097152"));
    assertThat(usual.on(1, Durability.PROCESS).options()).isEmpty();
    assertThat(other.on(0.25, Durability.PROCESS).options())
        .isEqualTo(Map.of("cache", "16777216", "block", "16k"));
    assertThat(other.url(Durability.POWER))
        .isEqualTo("a:data/app?cache=64m&block=16k&durability=power");
  }

  @Test
  void whatHelpedAloneIsTriedTogether() {
    Candidate a = new Candidate(A, Map.of());
    Candidate b = new Candidate(B, Map.of());

    List<Candidate> combined =
        Candidate.combined(
            Map.of(
                a,
                10.0,
                a.with("cache", "32m"),
                12.0,
                a.with("cache", "64m"),
                13.0,
                a.with("filter", "10"),
                15.0,
                a.with("block", "16k"),
                9.0,
                b,
                10.0,
                b.with("filter", "10"),
                11.0));

    assertThat(combined).containsExactly(a.with("filter", "10").with("cache", "64m"));
  }
}
