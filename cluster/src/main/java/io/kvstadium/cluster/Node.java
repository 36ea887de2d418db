package io.kvstadium.cluster;

import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One node of a cluster on this machine.
 *
 * @param number from 1
 * @param directory holds all its files
 * @param port for clients
 * @param storagePort for the other nodes
 * @param jmxPort for management, without a password, from this machine only
 */
public record Node(int number, Path directory, int port, int storagePort, int jmxPort) {
  private static final int ANSWER_MILLIS = 500;

  /** Its process, or {@code null} if it is not running. */
  public @Nullable ProcessHandle process() {
    Path file = processFile();
    try {
      if (!Files.exists(file)) {
        return null;
      }
      String[] words = Files.readString(file).strip().split(" ", 2);
      return ProcessHandle.of(Long.parseLong(words[0]))
          // another process may have its number by now
          .filter(process -> start(process).filter(words[1]::equals).isPresent())
          .orElse(null);
    } catch (IOException | RuntimeException e) {
      throw new StoreIoException(
          file + " cannot be read; check whether the node is running, and remove it: " + e, e);
    }
  }

  /** Records its process. */
  void started(ProcessHandle process) throws IOException {
    Files.writeString(processFile(), process.pid() + " " + start(process).orElse("ended") + "\n");
  }

  private static Optional<String> start(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toString);
  }

  /** Whether clients can connect. */
  public boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(address(), ANSWER_MILLIS);
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Asks it to end, and kills it if it has not after the given number of seconds. */
  void stop(long seconds) throws InterruptedException {
    ProcessHandle process = process();
    if (process == null) {
      return;
    }
    process.destroy();
    if (!ended(process, seconds)) {
      process.destroyForcibly();
      ended(process, seconds);
    }
  }

  private static boolean ended(ProcessHandle process, long seconds) throws InterruptedException {
    try {
      process.onExit().get(seconds, TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException _) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Its log file. */
  public Path log() {
    return directory.resolve("log");
  }

  Path output() {
    return directory.resolve("output");
  }

  Path configuration() {
    return directory.resolve("cassandra.yaml");
  }

  Path logging() {
    return directory.resolve("logback.xml");
  }

  /** The directory of its entries and its commit log. */
  public Path data() {
    return directory.resolve("data");
  }

  private Path processFile() {
    return directory.resolve("process");
  }
}
