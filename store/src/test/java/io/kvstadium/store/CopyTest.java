package io.kvstadium.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.store.CopyProgress.Step;
import io.kvstadium.store.spi.Engine;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Copies that are loaded, and verified, in many parts. */
class CopyTest {
  private static final int ENTRIES = 5_000;

  private final Engines engines = Engines.of(List.<Engine>of(new FakeEngine()));

  private static byte[] key(int number) {
    return "%05d".formatted(number).getBytes(UTF_8);
  }

  private Store source() {
    Store store = engines.open("fake:a", OpenOptions.DEFAULT);
    for (String name : List.of("a", "b")) {
      for (int i = 0; i < ENTRIES; i++) {
        store.table(name).put(key(i), new byte[i % 7]);
      }
    }
    return store;
  }

  @Test
  void everyPartIsVerifiedOnce() {
    AtomicLong verified = new AtomicLong();
    CopyOptions options =
        CopyOptions.DEFAULT
            .range(Range.all().from(key(17), true).to(key(4_017), false))
            .progress(at -> verified.set(at.step() == Step.VERIFY ? at.entries() : 0));
    try (Store from = source();
        Store to = engines.open("fake:b", OpenOptions.DEFAULT)) {
      CopyResult result = new Copy(from, to, options, 1_000).run();

      assertThat(result.identical()).isTrue();
      assertThat(result.source().entries()).isEqualTo(8_000);
      assertThat(verified).hasValue(8_000);
    }
  }

  @Test
  void whatTheSourceDoesNotHaveIsFoundInAnyPart() {
    for (byte[] stray :
        List.of("".getBytes(UTF_8), "02500+".getBytes(UTF_8), "x".getBytes(UTF_8))) {
      try (Store from = source();
          Store to = engines.open("fake:b", OpenOptions.DEFAULT)) {
        CopyOptions options =
            CopyOptions.DEFAULT
                .table("a")
                .progress(at -> {
                  if (at.entries() == ENTRIES) {
                    // a copy may be in a load, in which its own thread may not put
                    CompletableFuture.runAsync(() -> to.table("a").put(stray, new byte[0])).join();
                  }
                });

        assertThat(new Copy(from, to, options, 1_000).run().identical()).isFalse();
      }
    }
  }
}
