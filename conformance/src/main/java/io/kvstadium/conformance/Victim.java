package io.kvstadium.conformance;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** The parent's end of a {@link KillWorker}. */
final class Victim implements AutoCloseable {
  /** After this a child counts as hanging; it is killed, which its parent sees as its end. */
  private static final long LIFETIME_SECONDS = 60;

  private static final int ACKNOWLEDGEMENT_BYTES = 8;

  private final Process process;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final KillPlan plan;
  private final Path errors;

  /**
   * Starts a virtual machine like this one.
   *
   * @param errors file for what it writes to its standard error
   */
  Victim(String url, KillPlan plan, Path errors) throws IOException {
    List<String> command =
        ChildProcess.command(
            KillWorker.class,
            url,
            Long.toString(plan.seed()),
            Boolean.toString(plan.tables()),
            Boolean.toString(plan.batches()));
    this.plan = plan;
    this.errors = errors;
    this.process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
            .start();
    this.in = new DataInputStream(new BufferedInputStream(process.getInputStream()));
    this.out = new DataOutputStream(process.getOutputStream());
    Executor later = CompletableFuture.delayedExecutor(LIFETIME_SECONDS, TimeUnit.SECONDS);
    later.execute(process::destroyForcibly);
  }

  /** What the child found in the store when it opened it. */
  Map<String, String> readState() throws IOException {
    try {
      Map<String, String> state = new TreeMap<>();
      for (int left = in.readInt(); left > 0; left--) {
        String place = in.readUTF();
        state.put(place, in.readUTF());
      }
      return state;
    } catch (EOFException e) {
      throw new AssertionError("the child could not open and read the store" + said(), e);
    }
  }

  /**
   * Lets it work on from operation {@code next}, kills it once {@code patience} operations were
   * acknowledged, and returns the total number of acknowledged operations. What was on its way
   * through the pipe at that time counts too: it was sent after the write had returned.
   */
  long strikeAfter(long next, int patience) throws IOException, InterruptedException {
    command(next);
    long acknowledged = next;
    try {
      while (acknowledged < next + patience) {
        acknowledged = acknowledgement(acknowledged, in.readNBytes(ACKNOWLEDGEMENT_BYTES));
      }
    } catch (EOFException e) {
      throw new AssertionError("the child died or hung at operation " + acknowledged + said(), e);
    }
    process.toHandle().destroyForcibly(); // that of the process itself would close the pipe too
    byte[] rest = in.readNBytes(ACKNOWLEDGEMENT_BYTES);
    while (rest.length == ACKNOWLEDGEMENT_BYTES) {
      acknowledged = acknowledgement(acknowledged, rest);
      rest = in.readNBytes(ACKNOWLEDGEMENT_BYTES);
    }
    process.waitFor();
    return acknowledged;
  }

  private static long acknowledgement(long expected, byte[] bytes) throws EOFException {
    if (bytes.length < ACKNOWLEDGEMENT_BYTES) {
      throw new EOFException();
    }
    long number = java.nio.ByteBuffer.wrap(bytes).getLong();
    if (number != expected) {
      throw new AssertionError(
          "acknowledgement " + number + " instead of " + expected + ": does the engine print?");
    }
    return expected + 1;
  }

  /** Lets it close the store and demands that it ends normally. */
  void finish() throws IOException, InterruptedException {
    command(-1);
    int status = process.waitFor();
    if (status != 0) {
      throw new AssertionError("the child ended with status " + status + said());
    }
  }

  private void command(long number) throws IOException {
    out.writeLong(number);
    out.flush();
  }

  private String said() throws IOException {
    return " (" + plan + "); it said: " + Files.readString(errors);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
