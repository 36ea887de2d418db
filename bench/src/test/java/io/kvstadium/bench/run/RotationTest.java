package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RotationTest {
  private static final List<String> PARTS = List.of("start", "read", "update", "close");

  private final List<String> turns = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger working = new AtomicInteger();
  private final List<String> together = Collections.synchronizedList(new ArrayList<>());

  /** A trial that wants so many turns of each part. */
  private Callable<Void> trial(Rotation rotation, int number, int... wanted) {
    return () -> {
      try (Rotation.Member member = rotation.new Member(number)) {
        for (int part = 0; part < wanted.length; part++) {
          for (int turn = 0; turn < wanted[part]; turn++) {
            member.await(PARTS.get(part));
            if (working.incrementAndGet() > 1) {
              together.add(PARTS.get(part));
            }
            turns.add(PARTS.get(part) + " " + number);
            Thread.onSpinWait();
            working.decrementAndGet();
          }
        }
      }
      return null;
    };
  }

  private List<String> run(long seed, int[]... wanted) throws Exception {
    turns.clear();
    Rotation rotation = new Rotation(wanted.length, PARTS, seed);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Void>> all = new ArrayList<>();
      for (int i = 0; i < wanted.length; i++) {
        all.add(threads.submit(trial(rotation, i, wanted[i])));
      }
      for (Future<Void> each : all) {
        each.get();
      }
    }
    return List.copyOf(turns);
  }

  @Test
  void oneWorksAtATimeAndAllAreInTheSamePart() throws Exception {
    List<String> all = run(1, new int[] {1, 3, 2, 1}, new int[] {1, 5, 0, 1}, new int[] {1, 1, 4});

    assertThat(together).isEmpty();
    List<Integer> parts = all.stream().map(each -> PARTS.indexOf(each.split(" ", 2)[0])).toList();
    assertThat(parts).isSorted();
  }

  @Test
  void eachSweepHasOneTurnOfEachThatHasNotEnded() throws Exception {
    List<String> reads =
        run(3, new int[] {1, 20}, new int[] {1, 10}, new int[] {1, 20}).stream()
            .filter(each -> each.startsWith("read"))
            .toList();

    List<List<String>> sweeps =
        IntStream.range(0, 10).mapToObj(i -> reads.subList(3 * i, 3 * i + 3)).toList();
    assertThat(sweeps).allSatisfy(each -> assertThat(each).doesNotHaveDuplicates());
    assertThat(sweeps.stream().distinct()).as("orders").hasSizeGreaterThan(1);
    assertThat(reads.subList(30, 50)).doesNotContain("read 1");
  }

  @Test
  void theOrderComesFromTheSeed() throws Exception {
    int[][] wanted = {{1, 9}, {1, 9}, {1, 9}};

    assertThat(run(5, wanted)).isEqualTo(run(5, wanted)).isNotEqualTo(run(6, wanted));
  }
}
