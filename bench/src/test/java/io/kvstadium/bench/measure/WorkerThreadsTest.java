package io.kvstadium.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class WorkerThreadsTest {
  /** The clock of operations at a rate starts there: earlier, the first would be late. */
  @Test
  void allAreReadyBeforeAnyWorks() {
    List<String> order = new CopyOnWriteArrayList<>();
    WorkerThreads threads = new WorkerThreads("ready");
    for (int thread = 0; thread < 8; thread++) {
      threads.add(thread < 6, () -> order.add("work"));
    }

    threads.run(() -> order.add(running() + " ready"), () -> order.add("ended"));

    assertThat(order).hasSize(10).startsWith("8 ready").contains("ended");
    assertThat(order.subList(1, 10)).doesNotContain("8 ready");
  }

  private static long running() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("ready "))
        .count();
  }
}
