package io.kvstadium.store.internal.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.FakeEngine;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.StoreStatus;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code sync_every} in URLs. */
class PeriodicSyncTest {
  private static final byte[] KEY = {1};

  private final FakeEngine engine = new FakeEngine();

  @Test
  void syncsAgainAndAgainUntilTheClose() throws Exception {
    CountDownLatch thrice = new CountDownLatch(3);
    Thread[] syncing = new Thread[1];
    engine.atSync =
        () -> {
          syncing[0] = Thread.currentThread();
          thrice.countDown();
        };

    try (Store store = engine.openHere("fake:?sync_every=1ms")) {
      store.table().put(KEY, KEY);
      assertThat(thrice.await(60, TimeUnit.SECONDS)).isTrue();
    }

    assertThat(syncing[0].getName()).startsWith("stadium-sync fake:");
    syncing[0].join(60_000);
    assertThat(syncing[0].isAlive()).isFalse();
  }

  @Test
  void closeDoesNotWaitForThePeriod() throws Exception {
    engine.atSync = () -> {};
    Store store = engine.openHere("fake:?sync_every=24h");
    Thread syncing =
        Thread.getAllStackTraces().keySet().stream()
            .filter(each -> each.getName().equals("stadium-sync " + store.url()))
            .findFirst()
            .orElseThrow();

    store.close();

    syncing.join(60_000);
    assertThat(syncing.isAlive()).isFalse();
  }

  @Test
  void afterASyncThatFailedEveryCallIsRefused() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    engine.atSync =
        () -> {
          failed.countDown();
          throw new StoreIoException("the disk is gone");
        };
    try (Store store = engine.openHere("fake:?sync_every=1ms")) {
      assertThat(failed.await(60, TimeUnit.SECONDS)).isTrue();
      while (store.status().state() == StoreStatus.State.OPEN) {
        Thread.onSpinWait();
      }

      assertThatThrownBy(() -> store.table().put(KEY, KEY))
          .isInstanceOf(StoreIoException.class)
          .hasStackTraceContaining("the disk is gone");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "soon", "-1s", "1"})
  void whatIsNoTimeAboveZeroIsRefused(String time) {
    assertThatThrownBy(() -> engine.openHere("fake:?sync_every=" + time))
        .isInstanceOf(BadArgumentException.class)
        .hasMessageContaining("sync_every")
        .hasMessageContaining("1");
  }
}
