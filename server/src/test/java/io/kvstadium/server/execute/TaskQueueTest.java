package io.kvstadium.server.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TaskQueueTest {
  private static final long EVER = TimeUnit.DAYS.toNanos(1);

  private final TaskQueue queue = new TaskQueue();

  /** Does nothing. */
  private static final class Piece implements Task {
    @Override
    public void execute(CommitGroup commitGroup) {}

    @Override
    public void done() {}

    @Override
    public void failed(RuntimeException cause) {}
  }

  @Test
  void gathersUntilThereIsEnough() throws InterruptedException, ExecutionException {
    queue.add(List.of(new Piece()));
    CompletableFuture<List<Task>> taken = taken(3);

    queue.add(List.of(new Piece()));
    queue.add(List.of(new Piece()));

    assertThat(taken.get()).hasSize(3);
  }

  @Test
  void doesNotWaitForWhatIsThere() throws InterruptedException, ExecutionException {
    queue.add(List.of(new Piece(), new Piece()));

    assertThat(taken(2).get()).hasSize(2);
  }

  @Test
  void gathersNoLongerThanItMay() throws InterruptedException {
    queue.add(List.of(new Piece()));

    queue.gather(2, 1);

    assertThat(queue.size()).isOne();
  }

  @Test
  void theEndEndsTheGathering() throws InterruptedException, ExecutionException {
    queue.add(List.of(new Piece()));
    CompletableFuture<List<Task>> taken = taken(2);

    queue.close();

    assertThat(taken.get()).hasSize(1);
  }

  private CompletableFuture<List<Task>> taken(int requests) {
    return CompletableFuture.supplyAsync(() -> {
      List<Task> works = new ArrayList<>();
      try {
        queue.gather(requests, EVER);
        queue.take(works, 10);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return works;
    });
  }
}
