package io.kvstadium.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.server.execute.Executor;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoopQueueTest {
  @Test
  void aTaskThatFailsKeepsNoOtherFromComingBack() {
    DefaultEventExecutor eventLoop = new DefaultEventExecutor();
    try (Store store = Stadium.open("memory:");
        Executor executor = new Executor(store, 1, InstantSource.system())) {
      LoopQueue loop = new LoopQueue(eventLoop, executor);
      CompletableFuture<Throwable> failed = new CompletableFuture<>();
      CompletableFuture<Boolean> other = new CompletableFuture<>();

      eventLoop.execute(() -> { // both come back in one pass
        loop.run(
            () -> {
              throw new IllegalStateException("for a test");
            },
            failed::complete);
        loop.run(() -> other.complete(true), other::completeExceptionally);
      });

      assertThat(failed)
          .succeedsWithin(Duration.ofMinutes(1))
          .isInstanceOf(IllegalStateException.class);
      assertThat(other).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(true);
    } finally {
      eventLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }
}
