package io.kvstadium.server.round;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.FullException;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import org.junit.jupiter.api.Test;

class RoomTest {
  @Test
  void whatAddsIsRefusedWhileThereIsRoomForRemovals() {
    assertThatThrownBy(() -> new Room(() -> 99L << 20, 100L << 20).require())
        .isInstanceOf(FullException.class)
        .hasMessage(
            "the disk has 99 MB left, and the last 100 MB are kept for removals: free space");
    assertThatCode(() -> new Room(() -> 101L << 20, 100L << 20).require())
        .doesNotThrowAnyException();
  }

  @Test
  void aStoreWithoutFilesHasRoom() {
    try (Store store = Stadium.open("memory:")) {
      assertThatCode(() -> Room.of(store).require()).doesNotThrowAnyException();
    }
  }
}
