package io.kvstadium.torture.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.Move;
import io.kvstadium.store.Move.State;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A store that is to move, and what its listener is told. */
abstract class Moving {
  static final Duration WAIT = Duration.ofSeconds(20);

  final BlockingQueue<Move.Status> states = new ArrayBlockingQueue<>(10_000);
  final OpenOptions listened =
      OpenOptions.DEFAULT.listener(
          new StoreListener() {
            @Override
            public void moved(Move.Status status) {
              states.add(status);
            }
          });

  @TempDir Path directory;
  String old;
  String to;

  @BeforeEach
  void places() {
    old = "sqlite:" + directory.resolve("old");
    to = "rocksdb:" + directory.resolve("new");
  }

  Store open(String url) {
    return Stadium.open(url, listened);
  }

  Store moving() {
    return Stadium.open(old, listened.moveTo(to));
  }

  static Move move(Store store) {
    return Objects.requireNonNull(store.move());
  }

  static Move.Shadow shadow(Store store) {
    return Objects.requireNonNull(move(store).status().shadow());
  }

  void await(State state) throws InterruptedException {
    var _ = await(status -> status.state() == state);
  }

  Move.Status awaitProblem() throws InterruptedException {
    return await(status -> status.problem() != null);
  }

  private Move.Status await(Predicate<Move.Status> expected) throws InterruptedException {
    Move.Status status;
    do {
      status = states.poll(60, TimeUnit.SECONDS);
      assertThat(status).as("what is waited for comes").isNotNull();
    } while (!expected.test(status));
    return status;
  }

  static void remove(Path place) throws IOException {
    try (var files = Files.walk(place)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
