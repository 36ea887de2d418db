package io.kvstadium.store.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

// a gate that hangs, perhaps without heed to interrupts, is what these tests look for
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("ThreadPriorityCheck") // yield only mixes the threads up; no result depends on it
class GateTest {
  private static final int THREADS = 8;

  private final Gate gate = new Gate();

  @Test
  void anOpenGateLetsInAndOut() {
    assertThat(gate.enter()).isTrue();
    assertThat(gate.isInside()).isTrue();
    gate.exit();

    assertThat(gate.isInside()).isFalse();
    assertThat(gate.isClosed()).isFalse();
  }

  @Test
  void aClosedGateLetsNobodyIn() {
    assertThat(gate.close()).isTrue();

    assertThat(gate.isClosed()).isTrue();
    assertThat(gate.enter()).isFalse();
    assertThat(gate.isInside()).isFalse();
    assertThat(gate.close()).isFalse();
    assertThat(gate.exclusively(() -> {})).isFalse();
  }

  @Test
  void fromInsideNobodyWaitsForHimself() {
    assertThat(gate.enter()).isTrue();

    assertThatIllegalStateException().isThrownBy(gate::close);
    assertThatIllegalStateException().isThrownBy(() -> gate.exclusively(() -> {}));

    gate.exit();
    assertThat(gate.close()).isTrue();
  }

  @Test
  void anActionThatFailsLeavesTheGateOpen() {
    assertThatThrownBy(() ->
            gate.exclusively(() -> {
              throw new IllegalArgumentException("failed");
            }))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(gate.enter()).isTrue();
    gate.exit();
  }

  @RepeatedTest(20)
  void afterCloseNobodyIsInside() throws Exception {
    closeWhileMany(Executors.newFixedThreadPool(THREADS), THREADS);
  }

  @RepeatedTest(5)
  void afterCloseNoVirtualThreadIsInside() throws Exception {
    closeWhileMany(Executors.newVirtualThreadPerTaskExecutor(), 500);
  }

  private void closeWhileMany(ExecutorService executor, int workers) throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    AtomicInteger offences = new AtomicInteger();
    CountDownLatch busy = new CountDownLatch(1_000); // visits, by whichever threads get a turn
    try (executor) {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < workers; i++) {
        done.add(
            executor.submit(() -> {
              while (gate.enter()) {
                if (closed.get()) {
                  offences.incrementAndGet();
                }
                Thread.yield();
                if (closed.get()) {
                  offences.incrementAndGet();
                }
                gate.exit();
                busy.countDown();
              }
            }));
      }
      busy.await();

      assertThat(gate.close()).isTrue();
      closed.set(true);

      for (Future<?> future : done) {
        future.get();
      }
    }
    assertThat(offences).hasValue(0);
  }

  @RepeatedTest(5)
  void whoHoldsTheGateIsAlone() throws Exception {
    int rounds = 50;
    AtomicLong inside = new AtomicLong();
    AtomicInteger offences = new AtomicInteger();
    AtomicBoolean enough = new AtomicBoolean();
    try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < THREADS - 2; i++) {
        readers.add(
            executor.submit(() -> {
              while (!enough.get()) {
                assertThat(gate.enter()).isTrue();
                inside.incrementAndGet();
                inside.decrementAndGet();
                gate.exit();
              }
            }));
      }
      List<Future<?>> holders = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        holders.add(
            executor.submit(() -> {
              for (int round = 0; round < rounds; round++) {
                boolean ran =
                    gate.exclusively(() -> {
                      if (inside.getAndAdd(1_000_000) != 0) {
                        offences.incrementAndGet();
                      }
                      Thread.yield();
                      if (inside.getAndAdd(-1_000_000) != 1_000_000) {
                        offences.incrementAndGet();
                      }
                    });
                assertThat(ran).isTrue();
              }
            }));
      }
      for (Future<?> holder : holders) {
        holder.get();
      }
      enough.set(true);
      for (Future<?> reader : readers) {
        reader.get();
      }
    }
    assertThat(offences).hasValue(0);
  }

  @Test
  void whoIsInsideMayEnterAgainWhileAnotherWaitsToHoldTheGate() throws Exception {
    assertThat(gate.enter()).isTrue();
    AtomicBoolean ran = new AtomicBoolean();
    Thread holder = Thread.ofPlatform().start(() -> gate.exclusively(() -> ran.set(true)));
    // from now on the gate is held as soon as the holder gets there: entering again must never wait
    while (holder.isAlive() && holder.getState() != Thread.State.TIMED_WAITING) {
      assertThat(gate.enter()).isTrue();
      gate.exit();
    }
    assertThat(gate.enter()).isTrue();
    gate.exit();
    assertThat(ran).isFalse();

    gate.exit();
    holder.join();
    assertThat(ran).isTrue();
  }

  @Test
  void closeWaitsForWhoIsInside() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    AtomicBoolean left = new AtomicBoolean();
    Thread visitor =
        Thread.ofPlatform()
            .start(() -> {
              gate.enter();
              entered.countDown();
              try {
                leave.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              left.set(true);
              gate.exit();
            });
    entered.await();
    AtomicBoolean leftAtClose = new AtomicBoolean();
    Thread closer =
        Thread.ofPlatform()
            .start(() -> {
              gate.close();
              leftAtClose.set(left.get());
            });
    while (!gate.isClosed()) {
      Thread.onSpinWait();
    }

    leave.countDown();
    closer.join();
    visitor.join();

    assertThat(leftAtClose).isTrue();
  }

  @Test
  void threadsThatEndedDoNotHoldItUp() throws Exception {
    for (int i = 0; i < 100; i++) {
      Thread thread =
          Thread.ofPlatform()
              .start(() -> {
                gate.enter();
                gate.exit();
              });
      thread.join();
    }

    assertThat(gate.exclusively(() -> {})).isTrue();
    assertThat(gate.close()).isTrue();
  }

  @Test
  void aThreadThatEndedInsideDoesNotHoldItUp() throws Exception {
    Thread thread = Thread.ofPlatform().start(gate::enter);
    thread.join();

    assertThat(gate.close()).isTrue();
  }

  @Test
  void whoHoldsTheGateMayEnterIt() {
    AtomicBoolean entered = new AtomicBoolean();

    gate.exclusively(() -> {
      entered.set(gate.enter());
      gate.exit();
    });

    assertThat(entered).isTrue();
    assertThat(gate.close()).isTrue();
  }
}
