package io.kvstadium.server.execute;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.FullException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DiskReserveTest {
  private static final long MB = 1 << 20;

  private final AtomicLong usable = new AtomicLong();
  private final DiskReserve reserve = new DiskReserve(usable::get, () -> 100 * MB);

  private void take(long bytes) {
    reserve.take(bytes, System.nanoTime());
  }

  @Test
  void whatAddsIsRefusedWhileThereIsRoomForRemovals() {
    usable.set(99 * MB);
    assertThatThrownBy(() -> take(1)).isInstanceOf(FullException.class);
    usable.set(101 * MB);
    assertThatCode(() -> take(1)).doesNotThrowAnyException();
  }

  @Test
  void nothingIsAllowedForWhichThereIsNoRoom() {
    usable.set(150 * MB);
    assertThatThrownBy(() -> take(60 * MB)).isInstanceOf(FullException.class);
    assertThatCode(() -> take(20 * MB)).doesNotThrowAnyException();
  }

  @Test
  void whatIsNotYetOnTheDiskCountsHoweverOftenTheDiskIsAsked() {
    usable.set(110 * MB);
    take(3 * MB);
    assertThatThrownBy(() -> take(3 * MB)).isInstanceOf(FullException.class);

    reserve.written();

    assertThatCode(() -> take(3 * MB)).doesNotThrowAnyException();
  }

  @Test
  void whatADiskDidNotTellIsNotTakenForKnown() {
    DiskReserve unknown =
        new DiskReserve(
            () -> {
              throw new IllegalStateException("gone");
            },
            () -> -MB); // as if there was room

    long now = System.nanoTime();

    assertThatThrownBy(() -> unknown.take(1, now)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> unknown.take(1, now)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aStoreWithoutFilesHasRoom() {
    try (Store store = Stadium.open("memory:")) {
      assertThatCode(() -> DiskReserve.of(store).take(1, System.nanoTime()))
          .doesNotThrowAnyException();
    }
  }
}
