package io.kvstadium.bench.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvstadium.bench.machine.Availability;
import io.kvstadium.bench.machine.ControlGroups;
import io.kvstadium.bench.result.Finding;
import io.kvstadium.bench.result.TrialResult;
import io.kvstadium.bench.trial.Message;
import io.kvstadium.bench.trial.TrialMain;
import io.kvstadium.bench.trial.TrialPlan;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Serial;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs each trial in a virtual machine of its own, started like this one but with a fixed heap. */
public final class ForkedExecutor implements Executor {
  /** How long a process may live on after it has reported its end. */
  private static final long GRACE_SECONDS = 10;

  /** Exit code of a virtual machine that was ended by SIGINT. */
  private static final int INTERRUPTED = 130;

  private static final long STOP_SECONDS = 2;
  private static final int LINES_KEPT = 15;
  private static final int KIB = 1024;

  private final long watchdogSeconds;
  private final @Nullable String engines;
  private final Supplier<Availability> groups;
  private final AtomicReference<@Nullable Process> current = new AtomicReference<>();
  private final CountDownLatch stopped = new CountDownLatch(1);

  /**
   * @param watchdogSeconds how long a trial may be silent before it is taken for dead
   * @param engines the folder of engines, or {@code null} if they are on the class path
   */
  public ForkedExecutor(long watchdogSeconds, @Nullable String engines) {
    this(watchdogSeconds, engines, ControlGroups::find);
  }

  ForkedExecutor(long watchdogSeconds, @Nullable String engines, Supplier<Availability> groups) {
    this.watchdogSeconds = watchdogSeconds;
    this.engines = engines;
    this.groups = groups;
  }

  @Override
  public List<Finding> check(Resources resources) {
    return Confinement.check(resources, groups);
  }

  @Override
  public Message.Done run(TrialPlan plan, Resources resources, Consumer<Message> listener) {
    String name = plan.configuration().name() + "-" + plan.number();
    try (Confinement confinement = Confinement.of(name, resources, groups)) {
      return confinement.judge(run(plan, resources, confinement, listener));
    } catch (IOException e) {
      return failed(plan, "the trial's process could not be run: " + e);
    }
  }

  private Message.Done run(
      TrialPlan plan, Resources resources, Confinement confinement, Consumer<Message> listener)
      throws IOException {
    Path log = Path.of(plan.directory(), "stderr.txt");
    try {
      Files.createDirectories(log.getParent());
      List<String> command = command(resources, confinement);
      Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
      current.set(process);
      if (stopped.getCount() == 0) {
        kill(process); // stop() may have come before there was a process to end
      }
      Watchdog watchdog = new Watchdog(process, watchdogSeconds);
      Deque<String> printed = new ArrayDeque<>();
      try {
        send(plan, process.getOutputStream());
        Message.Done done = listen(process, listener, watchdog, confinement, printed);
        return done == null ? died(plan, process, log, printed, watchdog.bitten()) : done;
      } finally {
        watchdog.stop();
        end(process);
        current.set(null);
      }
    } catch (UnreadableLineException e) {
      return failed(plan, String.valueOf(e.getMessage()));
    }
  }

  /** Ends the running trial, if there is one, and every later one as soon as it starts. */
  public void stop() {
    stopped.countDown();
    Process process = current.get();
    if (process != null) {
      kill(process);
    }
  }

  /** By its handle, which leaves the streams open: what they still hold is read to its end. */
  private static void kill(Process process) {
    process.toHandle().destroyForcibly();
  }

  private List<String> command(Resources resources, Confinement confinement) {
    List<String> command = new ArrayList<>(confinement.commandPrefix());
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (concernsEngines(argument)) {
        command.add(argument);
      }
    }
    if (engines != null) {
      command.add("-D" + TrialMain.ENGINES + "=" + engines);
    }
    command.add("-Xms" + resources.heap() / KIB + "k");
    command.add("-Xmx" + resources.heap() / KIB + "k");
    command.addAll(confinement.jvmArguments());
    command.add("-XX:-UsePerfData"); // spares a memory-mapped file that is written to at safepoints
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(TrialMain.class.getName());
    return command;
  }

  /** What engines need; not heap sizes, and no archive that would bring compiled code along. */
  private static boolean concernsEngines(String argument) {
    return argument.startsWith("--add-opens")
        || argument.startsWith("--add-exports")
        || argument.startsWith("--enable-native-access")
        || argument.startsWith("--sun-misc-unsafe-memory-access")
        || argument.startsWith("-Dstadium.leaks");
  }

  /** One line; the stream stays open, so that the trial notices if this process dies. */
  private static void send(TrialPlan plan, OutputStream out) {
    try {
      out.write(new ObjectMapper().writeValueAsString(plan).getBytes(StandardCharsets.UTF_8));
      out.write('\n');
      out.flush();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a plan is made of records", e);
    } catch (IOException _) {
      // it has died already: why, stands in what it printed, which is read next
    }
  }

  private static Message.@Nullable Done listen(
      Process process,
      Consumer<Message> listener,
      Watchdog watchdog,
      Confinement confinement,
      Deque<String> printed)
      throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      watchdog.feed();
      confinement.look(); // at the last line too, while the process is still there
      Message message = decode(line);
      if (message instanceof Message.Done done) {
        return done;
      }
      if (message != null) {
        listener.accept(message);
      } else {
        printed.add(line);
        if (printed.size() > LINES_KEPT) {
          printed.remove();
        }
      }
    }
    return null;
  }

  private static @Nullable Message decode(String line) throws UnreadableLineException {
    try {
      return Message.decode(line);
    } catch (IllegalStateException e) {
      throw new UnreadableLineException(String.valueOf(e.getMessage()), e);
    }
  }

  /** One trial's trouble, which must not end the run. */
  private static final class UnreadableLineException extends IOException {
    @Serial private static final long serialVersionUID = 1;

    UnreadableLineException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private static void end(Process process) {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // the process is gone: there is nobody to tell the end to
      process.destroyForcibly();
    }
    try {
      if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private Message.Done died(
      TrialPlan plan, Process process, Path log, Deque<String> printed, boolean bitten)
      throws IOException {
    end(process);
    if (process.exitValue() == INTERRUPTED) {
      awaitStop();
    }
    if (bitten) {
      return failed(plan, "the trial was silent for too long and was ended: it hung");
    }
    List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
    // on standard output too: there a virtual machine says why it could not start, or crashed
    List<String> last = new ArrayList<>(printed);
    last.addAll(lines.subList(Math.max(0, lines.size() - LINES_KEPT), lines.size()));
    return failed(
        plan,
        "the trial's process ended with exit code "
            + process.exitValue()
            + (last.isEmpty() ? "" : ", after printing: " + String.join(" | ", last)));
  }

  /**
   * Ctrl-C in a terminal goes to the trial too, which may be faster to end than this process is to
   * stop: a failure that returned earlier would be put down to the engine.
   */
  private void awaitStop() {
    try {
      boolean ignored = stopped.await(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Message.Done failed(TrialPlan plan, String why) {
    return new Message.Done(TrialResult.failed(plan.number(), plan.seed(), why), Map.of());
  }

  /** Ends a process that says nothing for a while. */
  private static final class Watchdog {
    private final Process process;
    private final long patience;
    private final Thread thread;
    private volatile long fed = System.nanoTime();
    private volatile boolean bitten;

    Watchdog(Process process, long seconds) {
      this.process = process;
      this.patience = TimeUnit.SECONDS.toNanos(seconds);
      this.thread = Thread.ofVirtual().name("watchdog").start(this::watch);
    }

    void feed() {
      fed = System.nanoTime();
    }

    boolean bitten() {
      return bitten;
    }

    void stop() {
      thread.interrupt();
    }

    private void watch() {
      try {
        while (true) {
          long left = patience - (System.nanoTime() - fed);
          if (left <= 0) {
            bitten = true;
            kill(process);
            return;
          }
          TimeUnit.NANOSECONDS.sleep(left);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // stopped: the trial has ended
      }
    }
  }
}
