package io.kvstadium.engine.lmdb;

import io.kvstadium.conformance.ChildProcess;
import io.kvstadium.store.Snapshot;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Another process that has a store open. It takes one command per line and answers {@code ok} when
 * it is done.
 */
final class Peer implements AutoCloseable {
  private final Process process;
  private final PrintStream commands;
  private final BufferedReader answers;

  /**
   * Starts it with a store.
   *
   * @param prefix what starts it, such as a limit
   */
  Peer(String url, String... prefix) throws IOException {
    List<String> command = new ArrayList<>(List.of(prefix));
    command.addAll(ChildProcess.command(Peer.class, url));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    answers = process.inputReader(StandardCharsets.UTF_8);
    awaitOk("open");
  }

  /** Has it run a command to its end. */
  void run(String command) throws IOException {
    commands.println(command);
    awaitOk(command);
  }

  private void awaitOk(String command) throws IOException {
    String answer = answers.readLine();
    if (!"ok".equals(answer)) {
      throw new AssertionError("the other process answers " + answer + " to " + command);
    }
  }

  @Override
  public void close() {
    try {
      process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Store store = Stadium.open(args[0]);
    Snapshot snapshot = null;
    System.out.println("ok");
    try {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.split(" ");
        switch (words[0]) {
          case "put" -> table(store, words[1]).put(Stores.bytes(words[2]), Stores.bytes(words[3]));
          case "drop" -> store.dropTable(words[1]);
          case "megabytes" -> {
            for (int i = 0; i < Integer.parseInt(words[1]); i++) {
              store.table().put(Stores.key(i), new byte[1 << 20]);
            }
          }
          case "snapshot" -> snapshot = store.snapshot();
          default -> throw new IllegalArgumentException(line);
        }
        System.out.println("ok");
      }
    } finally { // killed, as a rule
      if (snapshot != null) {
        snapshot.close();
      }
      store.close();
    }
  }

  private static Table<byte[], byte[]> table(Store store, String name) {
    return store.table(name);
  }
}
