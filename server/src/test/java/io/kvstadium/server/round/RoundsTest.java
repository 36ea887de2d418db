package io.kvstadium.server.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.ClosedException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoundsTest {
  @TempDir private Path directory;

  /** Reads a key. */
  private static final class Reading implements Work {
    private final Store store;
    private final byte[] key;
    private final CompletableFuture<Boolean> found = new CompletableFuture<>();

    Reading(Store store, int length) {
      this.store = store;
      this.key = new byte[length];
    }

    @Override
    public void announce(Round round) {
      round.on(store.table()).announce(key);
    }

    @Override
    public void execute(Round round) {
      found.complete(round.on(store.table()).get(key) != null);
    }

    @Override
    public void done() {}

    @Override
    public void failed(RuntimeException cause) {
      found.completeExceptionally(cause);
    }
  }

  @Test
  void aKeyThatTheEngineCannotHoldIsNotThereAndHarmsNobody()
      throws ExecutionException, InterruptedException {
    try (Store store = Stadium.open("lmdb:" + directory.resolve("store"));
        Rounds rounds = new Rounds(store, 1, InstantSource.system())) {
      store.table().put(new byte[10], new byte[0]);
      List<Reading> works =
          List.of(
              new Reading(store, 10),
              new Reading(store, 5_000),
              new Reading(store, 0),
              new Reading(store, 10));

      rounds.read(works);

      assertThat(works.get(0).found.get()).isTrue();
      assertThat(works.get(1).found.get()).isFalse();
      assertThat(works.get(2).found.get()).isFalse();
      assertThat(works.get(3).found.get()).isTrue();
    }
  }

  @Test
  void whatComesAfterTheEndFails() {
    try (Store store = Stadium.open("memory:")) {
      Rounds rounds = new Rounds(store, 3, InstantSource.system());
      rounds.close();
      Reading late = new Reading(store, 1);

      rounds.read(late);

      assertThat(late.found).isCompletedExceptionally();
      assertThat(late.found.exceptionNow()).isInstanceOf(ClosedException.class);
    }
  }
}
