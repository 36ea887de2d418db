package io.kvstadium.conformance;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.Stadium;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreStatus;
import io.kvstadium.store.Table;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Another process that has a store open and takes commands, answering each line with a line. {@link
 * #ask} takes one of:
 *
 * <pre>
 * read URL      opens it read-only; {@code ok}
 * write URL     opens it for writing; {@code ok}
 * get KEY       the value, or {@code absent}
 * put KEY VALUE {@code ok} when it was acknowledged
 * scan          begins a scan, which is left open, and gives its first key
 * fill          puts large values until one is refused, and gives what was thrown, or {@code ok}
 * churn N SIZE  writes and removes 20 × SIZE entries of about 1 kB in a few tables, or in one, and reads as
 *               many; {@code ok}
 * memory        the budget of the store's engine, and what it says that it holds, in bytes
 * status        the store's state
 * work PLAN     carries it out, and answers each operation with its number, until it is killed
 * state PLAN    what it finds in the plan's places, in one line
 * close         closes the store, if one is open; {@code ok}
 * </pre>
 *
 * or answers with what was thrown, after an exclamation mark.
 */
final class OtherProcess implements AutoCloseable {
  /** An answer that takes longer counts as hanging: the process is killed. */
  private static final long LONGEST_SECONDS = 60;

  private static final int FILL_BYTES = 8 << 20;
  private static final int FILLS = 128;
  private static final int TABLES = 4;
  private static final int CHURN_BATCHES = 5;
  private static final int LARGE_VALUE = 64 << 10;

  private static @Nullable OtherProcess shared;

  private final Process process;
  private final BufferedReader answers;
  private final PrintStream commands;
  private final Path errors;

  /**
   * Starts it.
   *
   * @param errors file for what it writes to its standard error
   * @param flags of its virtual machine, besides those of this one
   */
  OtherProcess(Path errors, String... flags) throws IOException {
    this.errors = errors;
    List<String> command = ChildProcess.command(OtherProcess.class);
    command.addAll(command.indexOf("-cp"), List.of(flags));
    this.process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
            .start();
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
  }

  /**
   * Returns one that all tests of this virtual machine share, with no store open. It must not be
   * killed or closed; it ends with this virtual machine.
   */
  static synchronized OtherProcess shared() throws IOException {
    OtherProcess other = shared;
    if (other == null || !other.process.isAlive()) {
      Path errors = Files.createTempFile("other-process", ".log");
      errors.toFile().deleteOnExit();
      other = new OtherProcess(errors);
      shared = other;
    }
    other.ask("close");
    return other;
  }

  /** Whether it is refused, as locked, to open a store for writing. */
  boolean isLockedOut(String url) throws IOException {
    String answer = ask("write " + url);
    if (answer.equals("ok")) {
      ask("close");
    }
    return answer.startsWith("! " + LockedException.class.getName());
  }

  /** Has it do something and returns the answer. */
  String ask(String command) throws IOException {
    CompletableFuture<Void> watchdog =
        CompletableFuture.runAsync(
            process::destroyForcibly,
            CompletableFuture.delayedExecutor(LONGEST_SECONDS, TimeUnit.SECONDS));
    commands.println(command);
    String answer = answers.readLine();
    watchdog.cancel(false);
    if (answer == null) {
      throw new AssertionError(
          "the other process ended or hung at '"
              + command
              + "'; it said: "
              + Files.readString(errors));
    }
    return answer;
  }

  long pid() {
    return process.pid();
  }

  /**
   * Has it carry out a plan from operation {@code next} on, kills it once {@code patience} of them
   * were acknowledged, and returns how many were in total. What was on its way through the pipe at
   * that time counts too: it was sent after the write had returned.
   */
  long killAtWork(KillPlan plan, long next, int patience) throws IOException, InterruptedException {
    commands.println("work " + plan.arguments() + "," + next);
    long done = next;
    while (done < next + patience) {
      String line = answers.readLine();
      if (!String.valueOf(done).equals(line)) {
        throw new AssertionError(
            "instead of acknowledging operation %d (%s) it answered %s; it said: %s"
                .formatted(done, plan, line, Files.readString(errors)));
      }
      done++;
    }
    process.toHandle().destroyForcibly(); // that of the process itself would close the pipe too
    while (String.valueOf(done).equals(answers.readLine())) {
      done++;
    }
    process.waitFor();
    return done;
  }

  /** Kills it, and returns when it is dead. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  public static void main(String[] args) throws IOException {
    PrintStream out = System.out;
    System.setOut(System.err); // nobody else may write where the answers go
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Worker worker = new Worker(out);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String answer;
      try {
        answer = worker.run(line.split(" ", 3));
      } catch (StadiumException e) {
        answer = "! " + e;
      }
      out.println(answer.replace('\n', ' '));
      out.flush();
    }
  }

  private static final class Worker {
    private final PrintStream out;
    private @Nullable Store store;
    private @Nullable Cursor<byte[], byte[]> cursor;

    Worker(PrintStream out) {
      this.out = out;
    }

    private Store store() {
      if (store == null) {
        throw new IllegalStateException("no store is open");
      }
      return store;
    }

    private void churn(Table<byte[], byte[]> table, Random random, int size) {
      for (int n = 0; n < CHURN_BATCHES; n++) {
        store()
            .write(batch -> {
              for (int i = 0; i < size; i++) {
                byte[] key = Bytes.key(random.nextInt(1_000_000));
                if (random.nextInt(5) == 0) {
                  batch.delete(table, key);
                } else {
                  boolean large = random.nextInt(500) == 0;
                  byte[] value = new byte[large ? LARGE_VALUE : random.nextInt(2_000)];
                  random.nextBytes(value); // engines may compress
                  batch.put(table, key, value);
                }
              }
            });
      }
      for (int i = 0; i < CHURN_BATCHES * size; i++) {
        table.get(Bytes.key(random.nextInt(1_000_000)));
      }
      byte[] from = Bytes.key(random.nextInt(1_000_000));
      try (Cursor<byte[], byte[]> some =
          table.scan(Range.<byte[]>all().from(from, true).limit(size))) {
        while (some.next()) {
          some.value();
        }
      }
    }

    String run(String[] words) {
      return switch (words[0]) {
        case "read" -> {
          store = Stadium.open(words[1], OpenOptions.DEFAULT.readOnly(true));
          yield "ok";
        }
        case "write" -> {
          store = Stadium.open(words[1]);
          yield "ok";
        }
        case "get" -> Bytes.text(store().table().get(Bytes.bytes(words[1])));
        case "put" -> {
          store().table().put(Bytes.bytes(words[1]), Bytes.bytes(words[2]));
          yield "ok";
        }
        case "fill" -> {
          byte[] value = new byte[FILL_BYTES / FILLS];
          for (int i = 0; i < FILLS; i++) {
            ThreadLocalRandom.current().nextBytes(value); // engines may compress
            store().table().put(Bytes.key(i), value);
          }
          yield "ok";
        }
        case "churn" -> {
          Random random = new Random(Long.parseLong(words[1]));
          for (int table = 0; table < TABLES; table++) {
            boolean several = store().capabilities().contains(Capability.TABLES);
            churn(
                several ? store().table("churn" + table) : store().table(),
                random,
                Integer.parseInt(words[2]));
          }
          yield "ok";
        }
        case "memory" -> {
          StoreStatus.Memory memory = Objects.requireNonNull(store().status().memory());
          yield memory.budget() + " " + memory.used();
        }
        case "work" -> {
          KillPlan plan = KillPlan.of(words[1]);
          for (long n = Long.parseLong(words[1].split(",", -1)[3]); ; n++) {
            plan.carryOut(store(), n);
            out.println(n);
            out.flush();
          }
        }
        case "state" -> KillPlan.of(words[1]).stateOf(store());
        case "status" -> store().status().state().name();
        case "scan" -> {
          Cursor<byte[], byte[]> opened = store().table().scan(Range.all());
          cursor = opened;
          yield opened.next() ? Bytes.text(opened.key()) : Bytes.ABSENT;
        }
        case "close" -> {
          if (cursor != null) {
            cursor.close();
            cursor = null;
          }
          if (store != null) {
            store.close();
            store = null;
          }
          yield "ok";
        }
        default -> throw new IllegalArgumentException(words[0]);
      };
    }
  }
}
