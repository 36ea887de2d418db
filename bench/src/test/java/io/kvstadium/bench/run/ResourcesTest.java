package io.kvstadium.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import org.junit.jupiter.api.Test;

class ResourcesTest {
  private static final long MIB = 1L << 20;

  @Test
  void withoutALimitTheHeapIsTheSuites() {
    assertThat(Resources.of(512 * MIB, 0)).isEqualTo(new Resources(512 * MIB, 0));
    assertThat(Resources.of(512 * MIB, 0).findings(512 * MIB)).isEmpty();
  }

  @Test
  void theHeapTakesHalfOfTheLimitAtMost() {
    assertThat(Resources.of(512 * MIB, 512 * MIB)).isEqualTo(new Resources(256 * MIB, 512 * MIB));
    assertThat(Resources.of(512 * MIB, 2048 * MIB)).isEqualTo(new Resources(512 * MIB, 2048 * MIB));
    assertThat(Resources.of(512 * MIB, 2048 * MIB).outsideHeap()).isEqualTo(1536 * MIB);
  }

  @Test
  void aReaderIsToldOfBoth() {
    assertThat(Resources.of(512 * MIB, 512 * MIB).findings(512 * MIB))
        .singleElement()
        .satisfies(each ->
            assertThat(each.message())
                .contains("512 MiB of memory, page cache included")
                .contains("a heap of 256 MiB instead of the suite's 512 MiB"));
    assertThat(Resources.of(512 * MIB, 2048 * MIB).findings(512 * MIB))
        .singleElement()
        .satisfies(each -> assertThat(each.message()).doesNotContain("instead"));
  }

  @Test
  void tooLittleForAVirtualMachineIsRefused() {
    assertThatThrownBy(() -> Resources.of(512 * MIB, 10 * MIB))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("give at least 128m");
  }
}
