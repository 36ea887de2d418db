package io.kvstadium.conformance;

import io.kvstadium.store.FullException;
import io.kvstadium.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The threads of a careless program, and their supervisor. */
final class MisuseRun {
  /** A step that takes longer hangs. More than the lock timeouts of the engines' own tests. */
  private static final Duration LONGEST_STEP = Duration.ofSeconds(90);

  private final MisusePlan plan;
  private final SharedStore shared;
  private final Lost.Pool lost = new Lost.Pool();
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicReference<@Nullable AssertionError> verdict = new AtomicReference<>();
  private final AtomicLong checks = new AtomicLong();
  private final List<Misuser> misusers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  MisuseRun(MisusePlan plan, String url) {
    this.plan = plan;
    this.shared = new SharedStore(url);
  }

  MisusePlan plan() {
    return plan;
  }

  SharedStore shared() {
    return shared;
  }

  Lost.Pool lost() {
    return lost;
  }

  /** Whether there is another step to take. */
  boolean goesOn() {
    return verdict.get() == null && begun.getAndIncrement() < plan.steps();
  }

  void convict(String when, Throwable what) {
    verdict.compareAndSet(null, new AssertionError(plan + ": " + when + ": " + what, what));
  }

  void interruptOne(SplittableRandom random) {
    threads.get(random.nextInt(threads.size())).interrupt();
  }

  void countCheck() {
    checks.incrementAndGet();
  }

  /** Runs it all; throws what went wrong first. */
  void run() throws InterruptedException {
    // Leaks are what this is about; but a failed close is reported nowhere else.
    Logger logger = Logger.getLogger(Store.class.getPackageName());
    logger.setFilter(this::isWorthALine);
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, e) -> convict("thread " + thread.getName() + " ended", e)); // the store's own ones
    try {
      runThreads();
      if (verdict.get() == null) {
        finish();
      }
      if (verdict.get() != null) {
        giveUp();
      }
    } finally {
      logger.setFilter(null);
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    AssertionError wrong = verdict.get();
    if (wrong != null) {
      throw wrong;
    }
    if (checks.get() < plan.steps() / 20) {
      throw new AssertionError(plan + ": only " + checks + " answers could be checked");
    }
  }

  private boolean isWorthALine(LogRecord line) {
    Throwable thrown = line.getThrown();
    if (line.getMessage().startsWith("leak: ")
        || (thrown instanceof FullException && shared.hasLimitOfReaders())) {
      return false;
    }
    convict("logged: " + line.getMessage(), thrown == null ? new AssertionError() : thrown);
    return true;
  }

  private void runThreads() throws InterruptedException {
    SplittableRandom random = new SplittableRandom(plan.seed());
    for (int i = 0; i < plan.threads(); i++) {
      Misuser misuser = new Misuser(this, i, random.split());
      misusers.add(misuser);
      Thread.Builder kind = plan.virtual() ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
      threads.add(kind.name("misuser-" + i).unstarted(misuser));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      while (!thread.join(Duration.ofMillis(500))) {
        if (misusers.stream().anyMatch(each -> each.isInStepFor(LONGEST_STEP))) {
          convict("it hangs", new AssertionError(stacks()));
          return;
        }
      }
    }
  }

  /** A store that can no longer be closed must not hold up the test. */
  private void finish() {
    try {
      Crew.doElsewhere(() -> {
        shared.closeAndOpen(new SplittableRandom(plan.seed()));
        try (Store store = shared.get()) {
          misusers.forEach(misuser -> misuser.checkAtTheEnd(store));
          shared.counters().forEach(counter -> counter.checkAtTheEnd(store));
        }
      });
    } catch (RuntimeException | Error e) {
      convict("at the end", e);
    }
  }

  /** Its files are about to go: a store left open would fail, and convict the next run. */
  private void giveUp() {
    try {
      Crew.doElsewhere(() -> shared.get().close());
    } catch (RuntimeException | Error e) {
      AssertionError wrong = verdict.get();
      if (wrong != null) {
        wrong.addSuppressed(e);
      }
    }
  }

  private String stacks() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < threads.size(); i++) {
      Thread thread = threads.get(i);
      text.append('\n').append(thread.getName()).append(", ").append(misusers.get(i)).append(": ");
      text.append(thread.getState());
      for (StackTraceElement line : thread.getStackTrace()) {
        text.append("\n    at ").append(line);
      }
    }
    Thread.getAllStackTraces()
        .forEach((thread, lines) -> {
          if (thread.getName().startsWith("stadium")) {
            text.append('\n').append(thread.getName());
            for (StackTraceElement line : lines) {
              text.append("\n    at ").append(line);
            }
          }
        });
    return text.toString();
  }
}
