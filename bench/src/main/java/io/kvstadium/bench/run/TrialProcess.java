package io.kvstadium.bench.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kvstadium.bench.machine.Stopped;
import io.kvstadium.bench.trial.Message;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The parent's end of a trial's process. Used by one thread, except for {@link #kill}. */
final class TrialProcess implements AutoCloseable {
  /** How long a process may live on after it has reported its end. */
  private static final long GRACE_SECONDS = 10;

  private static final int LINES_KEPT = 15;
  private static final int TAIL = 64 << 10;

  private final Process process;
  private final Path log;
  private final BufferedReader lines;
  private final Watchdog watchdog;
  private @Nullable Stopped stopped;
  private final Deque<String> printed = new ArrayDeque<>();

  /**
   * Starts the process.
   *
   * @param log file for what it writes to its standard error
   * @param patienceSeconds after how long without a word or work it is taken for dead
   */
  TrialProcess(List<String> command, Path log, long patienceSeconds) throws IOException {
    Files.createDirectories(log.toAbsolutePath().getParent());
    this.log = log;
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    TrialEnvironment.clean(builder.environment());
    this.process = builder.start();
    this.lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.watchdog = new Watchdog(process, patienceSeconds);
  }

  /**
   * Sends each as a line; the stream stays open, so that the trial notices if this process dies.
   */
  void send(Object... values) {
    try {
      OutputStream out = process.getOutputStream();
      for (Object value : values) {
        out.write(new ObjectMapper().writeValueAsString(value).getBytes(StandardCharsets.UTF_8));
        out.write('\n');
      }
      out.flush();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("what a trial is sent is made of records", e);
    } catch (IOException _) {
      // it has died already: the reason is in what it printed, which is read next
    }
  }

  /**
   * Reads what it says up to a kind of message.
   *
   * @param listener receives the others
   * @param eachLine runs after each line
   * @return that message, or {@code null} if the process ended without it
   * @throws UnreadableLineException if it said something that is not a message
   */
  <M extends Message> @Nullable M listen(
      Class<M> awaited, Consumer<Message> listener, Runnable eachLine) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      eachLine.run();
      Message message = decode(line);
      watchdog.hear();
      if (awaited.isInstance(message)) {
        return awaited.cast(message);
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
  static final class UnreadableLineException extends IOException {
    @Serial private static final long serialVersionUID = 1;

    UnreadableLineException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Stops all of its threads, until {@link #proceed}. */
  void stop() {
    try {
      if (stopped == null) {
        stopped = new Stopped(process.pid());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a trial cannot be stopped", e);
    }
    watchdog.rest(true);
    stopped.stop();
  }

  /** Lets it go on, and tells it so. */
  void proceed() {
    if (stopped != null) {
      stopped.proceed();
    }
    watchdog.rest(false);
    send("");
  }

  /**
   * Ends it at once, with SIGKILL where there are signals. Uses its handle, which leaves the
   * streams open: what they still hold is read to the end.
   */
  void kill() {
    process.toHandle().destroyForcibly();
  }

  /** Waits a while for it to end on its own. */
  @Override
  public void close() {
    watchdog.stop();
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // the process is gone: there is nobody left to tell
      process.destroyForcibly();
    }
    try {
      if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } finally {
      if (stopped != null) {
        stopped.close();
      }
    }
  }

  long pid() {
    return process.pid();
  }

  /** Returns the exit code of a process that has ended. */
  int exitCode() {
    return process.exitValue();
  }

  /** Returns why a closed process ended before it had said everything. */
  String lastWords() throws IOException {
    if (watchdog.bitten()) {
      return "the trial was silent for too long, without using the processor, and was ended: it hung";
    }
    List<String> said = new String(tail(), StandardCharsets.ISO_8859_1).lines().toList();
    // including standard output, where a virtual machine says why it could not start or crashed
    List<String> last = new ArrayList<>(printed);
    last.addAll(said.subList(Math.max(0, said.size() - LINES_KEPT), said.size()));
    return "the trial's process ended with exit code "
        + process.exitValue()
        + (last.isEmpty() ? "" : ", after printing: " + String.join(" | ", last));
  }

  /** The end of what it wrote to its standard error, which may be more than fits into the heap. */
  private byte[] tail() throws IOException {
    try (SeekableByteChannel file = Files.newByteChannel(log)) {
      file.position(Math.max(0, file.size() - TAIL));
      return Channels.newInputStream(file).readNBytes(TAIL);
    }
  }

  /**
   * Ends a process that says nothing for a while without using the processor. One call of an engine
   * can take long: a commit of gigabytes, say.
   */
  private static final class Watchdog {
    /** The harness's own threads use less: they only look around a few times a second. */
    private static final double MIN_CPU_SHARE = 0.05;

    private final Process process;
    private final long silentNanos;
    private final Thread thread;
    private volatile long heard = System.nanoTime();
    private volatile boolean bitten;
    private volatile boolean resting;

    Watchdog(Process process, long seconds) {
      this.process = process;
      this.silentNanos = TimeUnit.SECONDS.toNanos(seconds);
      this.thread = Thread.ofVirtual().name("watchdog").start(this::watch);
    }

    void hear() {
      heard = System.nanoTime();
    }

    /** Whether the process is stopped, and must be silent. */
    void rest(boolean rests) {
      heard = System.nanoTime();
      resting = rests;
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
          long begin = System.nanoTime();
          long used = cpuNanos();
          TimeUnit.NANOSECONDS.sleep(silentNanos);
          if (!resting && heard - begin < 0 && cpuNanos() - used < MIN_CPU_SHARE * silentNanos) {
            bitten = true;
            process.toHandle().destroyForcibly();
            return;
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // stopped: the trial has ended
      }
    }

    /** 0 where it cannot be known: then only what the process says counts. */
    private long cpuNanos() {
      return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    }
  }
}
