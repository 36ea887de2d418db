package io.kvstadium.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.transfer.CopyProgress.Step;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies that are loaded in many segments. */
class CopyTest {
  private static final int ENTRIES = 5_000;
  private static final int SEGMENT_BYTES = 1_000;

  private static byte[] key(int number) {
    return "%05d".formatted(number).getBytes(UTF_8);
  }

  private static Store source() {
    Store store = Stadium.open("memory:");
    for (String name : List.of("a", "b")) {
      for (int i = 0; i < ENTRIES; i++) {
        store.table(name).put(key(i), new byte[i % 7]);
      }
    }
    return store;
  }

  @Test
  void everyEntryIsVerifiedOnce() {
    AtomicLong verified = new AtomicLong();
    CopyOptions options =
        CopyOptions.DEFAULT
            .range(Range.<byte[]>all().from(key(17), true).to(key(4_017), false))
            .progress(at -> verified.set(at.step() == Step.VERIFY ? at.entries() : 0));
    try (Store from = source();
        Store to = Stadium.open("memory:")) {
      CopyResult result = new Copy(from, to, options, SEGMENT_BYTES).run();

      assertThat(result.identical()).isTrue();
      assertThat(result.source().entries()).isEqualTo(8_000);
      assertThat(verified).hasValue(8_000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"!", "02500+", "x"})
  void whatOnlyTheTargetHasIsFound(String stray, @TempDir Path directory) {
    CopyOptions table = CopyOptions.DEFAULT.table("a");
    CopyOptions interrupted =
        table.progress(at -> {
          if (at.entries() > ENTRIES / 2) {
            throw new IllegalStateException("enough");
          }
        });
    try (Store from = source();
        Store to = Stadium.open("lmdb:" + directory.resolve("to"))) {
      assertThatThrownBy(() -> new Copy(from, to, interrupted, SEGMENT_BYTES).run())
          .hasMessage("enough");
      to.table("a").put(stray.getBytes(UTF_8), new byte[0]);

      CopyResult resumed = Copy.run(from, to, table);

      assertThat(resumed.resumed()).isTrue();
      assertThat(resumed.identical()).isFalse();
    }
  }
}
