package io.kvstadium.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.server.execute.Rounds;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoopTest {
  @Test
  void aTaskThatFailsKeepsNoOtherFromComingBack() {
    DefaultEventExecutor executor = new DefaultEventExecutor();
    try (Store store = Stadium.open("memory:");
        Rounds rounds = new Rounds(store, 1, InstantSource.system())) {
      Loop loop = new Loop(executor, rounds);
      CompletableFuture<Throwable> failed = new CompletableFuture<>();
      CompletableFuture<Boolean> other = new CompletableFuture<>();

      executor.execute(() -> { // both come back in one pass
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
      executor.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }
}
