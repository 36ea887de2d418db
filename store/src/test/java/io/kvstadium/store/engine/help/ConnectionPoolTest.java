package io.kvstadium.store.engine.help;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.StadiumException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConnectionPoolTest {
  private final Set<Integer> dead = new HashSet<>();
  private final Set<Integer> closed = new HashSet<>();
  private int made;

  private final ConnectionPool<Integer, IOException> pool =
      new ConnectionPool<>(
          "fake",
          "//host",
          2,
          Duration.ofMillis(20),
          new ConnectionPool.Kind<>() {
            @Override
            public Integer connect() {
              return ++made;
            }

            @Override
            public boolean isUsable(Integer connection) {
              return true;
            }

            @Override
            public boolean answers(Integer connection) {
              return !dead.contains(connection);
            }

            @Override
            public void close(Integer connection) {
              closed.add(connection);
            }
          });

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void whoFindsNoneFreeIsToldSoInTimeAndCallsGoOnBesideWhatIsHeld() throws Exception {
    int first = pool.hold(connection -> connection);
    pool.hold(connection -> connection);

    assertThatThrownBy(() -> pool.hold(connection -> connection))
        .isInstanceOf(StadiumException.class)
        .hasMessageContaining("engine fake, //host");
    assertThat(pool.<Integer>call(connection -> connection)).isEqualTo(3);
    pool.release(first);
    assertThat(pool.<Integer>hold(connection -> connection)).isEqualTo(1);
  }

  @Test
  void whatFailsToBeginIsNotHeld() throws Exception {
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() ->
              pool.hold(_ -> {
                throw new IOException("no");
              }))
          .isInstanceOf(IOException.class);
    }

    assertThat(pool.<Integer>hold(connection -> connection)).isEqualTo(1);
  }

  /** The server has ended them all: one call finds out. */
  @Test
  void idleOnesAreAskedAfterOneHasFailed() throws Exception {
    int first = pool.hold(connection -> connection);
    pool.release(pool.<Integer>hold(connection -> connection));
    pool.release(first);
    dead.addAll(Set.of(1, 2));

    assertThatThrownBy(() ->
            pool.call(_ -> {
              throw new IOException("lost");
            }))
        .isInstanceOf(IOException.class);

    assertThat(pool.<Integer>call(connection -> connection)).isEqualTo(3);
    assertThat(closed).containsExactlyInAnyOrder(1, 2);
  }
}
