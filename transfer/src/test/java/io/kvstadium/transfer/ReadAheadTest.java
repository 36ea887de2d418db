package io.kvstadium.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
  private static final int ENTRIES = 50_000;

  private final Store store = Stadium.open("memory:");
  private final AtomicLong passed = new AtomicLong();

  @BeforeEach
  void fill() {
    for (int i = 0; i < ENTRIES; i++) {
      store.table().put(ByteBuffer.allocate(4).putInt(i).array(), new byte[100]);
    }
  }

  @AfterEach
  void close() {
    store.close();
  }

  private ReadAhead read(Predicate<Entry<byte[], byte[]>> kept) {
    return new ReadAhead(
        () -> store.table().scan(Range.all()), kept, (entries, _) -> passed.set(entries));
  }

  private static int number(Entry<byte[], byte[]> entry) {
    return ByteBuffer.wrap(entry.key()).getInt();
  }

  @Test
  void whatIsKeptComesInOrderAndWhatIsNotIsCounted() {
    List<Integer> seen = new ArrayList<>();
    try (ReadAhead entries = read(entry -> number(entry) % 10 == 3)) {
      entries.forEachRemaining(entry -> seen.add(number(entry)));
      assertThat(entries.hasNext()).isFalse();
    }
    assertThat(seen).hasSize(ENTRIES / 10).isSorted().startsWith(3, 13, 23);
    assertThat(passed).hasValue(ENTRIES);
  }

  @Test
  void littleIsReadAheadOfWhatIsUsedAndNothingAfterTheClose() {
    AtomicInteger tested = new AtomicInteger();
    try (ReadAhead entries = read(_ -> tested.incrementAndGet() > 0)) {
      entries.next();
    }
    assertThat(tested.get()).isBetween(1, 15_000);
  }

  @Test
  void aFailureComesAfterTheEntriesBeforeIt() {
    List<Integer> seen = new ArrayList<>();
    Predicate<Entry<byte[], byte[]>> failing =
        entry -> {
          if (number(entry) == 30_500) {
            throw new CorruptException("this one");
          }
          return true;
        };
    try (ReadAhead entries = read(failing)) {
      assertThatThrownBy(() -> entries.forEachRemaining(entry -> seen.add(number(entry))))
          .isInstanceOf(CorruptException.class)
          .hasMessage("this one");
    }
    assertThat(seen).hasSize(30_500);
  }
}
