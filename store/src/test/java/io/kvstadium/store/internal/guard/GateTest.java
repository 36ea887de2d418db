package io.kvstadium.store.internal.guard;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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

// a gate that hangs, perhaps ignoring interrupts, is what these tests look for
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("ThreadPriorityCheck") // yield only mixes the threads up; no result depends on it
class GateTest {
  private static final int THREADS = 8;

  private final Gate gate = new Gate();

  /** Leaves; a thread that is inside is let in once more whatever the state. */
  private void leave() {
    Gate.Pass pass = requireNonNull(gate.pass());
    gate.exit(pass);
    gate.exit(pass);
  }

  @Test
  void anOpenGateLetsInAndOut() {
    assertThat(gate.pass()).isNotNull();
    assertThat(gate.isInside()).isTrue();
    leave();

    assertThat(gate.isInside()).isFalse();
    assertThat(gate.isClosed()).isFalse();
  }

  @Test
  void aClosedGateLetsNobodyIn() {
    assertThat(gate.close()).isTrue();

    assertThat(gate.isClosed()).isTrue();
    assertThat(gate.pass()).isNull();
    assertThat(gate.isInside()).isFalse();
    assertThat(gate.close()).isFalse();
  }

  @Test
  void fromInsideNobodyWaitsForHimself() {
    assertThat(gate.pass()).isNotNull();

    assertThatIllegalStateException().isThrownBy(gate::close);
    assertThatIllegalStateException().isThrownBy(gate::awaitVisitors);

    leave();
    assertThat(gate.close()).isTrue();
  }

  @Test
  void aBarredGateLetsInOnlyWhoIsInside() throws Exception {
    assertThat(gate.pass()).isNotNull();

    gate.bar();

    assertThat(gate.pass()).isNotNull();
    leave();
    leave();
    assertThat(gate.pass()).isNull();
    assertThat(gate.isClosed()).isFalse();
    assertThat(gate.close()).isTrue();
    assertThat(gate.isClosed()).isTrue();
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
              while (gate.pass() != null) {
                if (closed.get()) {
                  offences.incrementAndGet();
                }
                Thread.yield();
                if (closed.get()) {
                  offences.incrementAndGet();
                }
                leave();
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

  /**
   * A part of what is guarded is taken away again and again while others use it: they first check
   * whether it is there, as a table's handle does.
   */
  @RepeatedTest(5)
  void afterTheVisitorsLeftNobodyUsesWhatWasTakenAway() throws Exception {
    AtomicInteger present = new AtomicInteger();
    AtomicLong users = new AtomicLong();
    AtomicBoolean enough = new AtomicBoolean();
    AtomicInteger offences = new AtomicInteger();
    try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> visitors = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        visitors.add(
            executor.submit(() -> {
              while (!enough.get()) {
                assertThat(gate.pass()).isNotNull();
                int seen = present.get();
                if (seen % 2 == 0) {
                  users.incrementAndGet();
                  Thread.yield();
                  users.decrementAndGet();
                }
                leave();
              }
            }));
      }

      for (int round = 0; round < 20; round++) {
        present.incrementAndGet(); // odd: taken away
        gate.awaitVisitors();
        if (users.get() != 0) {
          offences.incrementAndGet();
        }
        present.incrementAndGet();
      }

      enough.set(true);
      for (Future<?> visitor : visitors) {
        visitor.get();
      }
    }
    assertThat(offences).hasValue(0);
  }

  @Test
  void whoComesLaterDoesNotWaitWhileAnotherWaitsForThoseInside() throws Exception {
    assertThat(gate.pass()).isNotNull();
    Thread waiter = Thread.ofPlatform().start(gate::awaitVisitors);
    while (waiter.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }

    Thread later =
        Thread.ofPlatform()
            .start(() -> {
              assertThat(gate.pass()).isNotNull();
              leave();
            });

    later.join();
    assertThat(waiter.isAlive()).isTrue();
    leave();
    assertThat(gate.pass()).isNotNull(); // back again: nobody waits for this visit
    waiter.join();
    leave();
  }

  @Test
  void closeWaitsForWhoIsInside() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    AtomicBoolean left = new AtomicBoolean();
    Thread visitor =
        Thread.ofPlatform()
            .start(() -> {
              gate.pass();
              entered.countDown();
              try {
                leave.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              left.set(true);
              leave();
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
                gate.pass();
                leave();
              });
      thread.join();
    }

    gate.awaitVisitors();
    assertThat(gate.close()).isTrue();
  }

  @Test
  void aThreadThatEndedInsideDoesNotHoldItUp() throws Exception {
    Thread thread = Thread.ofPlatform().start(gate::pass);
    thread.join();

    assertThat(gate.close()).isTrue();
  }
}
