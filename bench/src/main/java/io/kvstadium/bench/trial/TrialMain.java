package io.kvstadium.bench.trial;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvstadium.bench.data.Workset;
import io.kvstadium.bench.measure.Turns;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.suite.Operation;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Engines;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The trial's process. */
public final class TrialMain {
  private static final long PROGRESS_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private TrialMain() {}

  /** Reads a plan from standard input and reports on standard output. */
  public static void main(String[] args) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    TrialPlan plan = new ObjectMapper().readValue(in.readLine(), TrialPlan.class);
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> await(ended)));
    Sender sender = new Sender(System.out);
    Semaphore answers = new Semaphore(0);
    Thread.ofPlatform().daemon().name("parent").start(() -> listen(in, answers));
    Turns turns = plan.turns() ? Turns.of(part -> ask(part, sender, answers)) : Turns.NONE;
    try {
      report(plan, turns, sender);
      System.out.flush();
    } finally {
      ended.countDown();
    }
    // Not System.exit: an engine's thread that keeps the process alive is a defect worth seeing,
    // but one that hangs it would stop the run; the parent ends it after a while.
  }

  /**
   * Delays a shutdown until the trial is over. Ctrl-C in a terminal goes to this process too, and
   * its sudden end would look to the parent like an engine's crash; it is the parent that decides.
   */
  private static void await(CountDownLatch ended) {
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void ask(String part, Sender sender, Semaphore answers) {
    sender.accept(new Message.Turn(part));
    answers.acquireUninterruptibly();
  }

  private static void report(TrialPlan plan, Turns turns, Consumer<Message> parent) {
    Message.Done done;
    try {
      run(plan, TrialEngines.engines(), turns, parent);
      return;
    } catch (BadArgumentException e) {
      done = new Message.Done(failed(plan, String.valueOf(e.getMessage())), Map.of());
    } catch (OutOfMemoryError e) {
      done =
          new Message.Done(
              failed(
                  plan,
                  "the trial's heap of %d MiB is too small (%s): %s"
                      .formatted(
                          Runtime.getRuntime().maxMemory() >> 20,
                          e.getMessage(),
                          plan.phases().stream()
                                  .anyMatch(each -> each.operation() == Operation.REPLAY)
                              ? "replay a part of the keys: record with record_sample=0.1"
                              : "set heap = \"2g\" in a suite file of your own; bench --show"
                                  + " prints a built-in one")),
              Map.of());
    } catch (RuntimeException | Error e) {
      // whatever it was: the parent must know, and not wait for threads that an engine left behind
      StackTraceElement[] stack = e.getStackTrace();
      String where = stack.length == 0 ? "" : " at " + stack[0];
      done = new Message.Done(failed(plan, "the trial broke: " + e + where), Map.of());
    }
    parent.accept(done);
  }

  /**
   * After the plan, each line that the parent says is an answer to a question. Ends this process
   * when the parent closes its end: it does so when it ends in any way.
   */
  private static void listen(BufferedReader in, Semaphore answers) {
    try {
      while (in.readLine() != null) {
        answers.release();
      }
    } catch (IOException e) {
      // treated like the end of the stream
    }
    Runtime.getRuntime().halt(1);
  }

  private static void run(TrialPlan plan, Engines engines, Turns turns, Consumer<Message> parent) {
    Workset workset = WorksetSource.of(plan);
    Trial trial = new Trial(plan, engines, turns, parent);
    TrialResult result = trial.run(workset);
    parent.accept(new Message.Done(result, trial.describe(workset)));
  }

  private static TrialResult failed(TrialPlan plan, String message) {
    return TrialResult.failed(plan.number(), plan.seed(), message);
  }

  /** Writes messages as lines; progress at most a few times a second. */
  private static final class Sender implements Consumer<Message> {
    private final PrintStream out;
    private long lastProgress = System.nanoTime() - PROGRESS_NANOS;
    private String lastPhase = "";

    Sender(PrintStream out) {
      this.out = out;
    }

    @Override
    public synchronized void accept(Message message) {
      if (message instanceof Message.Progress progress) {
        long now = System.nanoTime();
        if (now - lastProgress < PROGRESS_NANOS && progress.phase().equals(lastPhase)) {
          return;
        }
        lastProgress = now;
        lastPhase = progress.phase();
      }
      out.println(Message.encode(message));
    }
  }
}
