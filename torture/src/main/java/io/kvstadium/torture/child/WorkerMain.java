package io.kvstadium.torture.child;

import io.kvstadium.backup.Backups;
import io.kvstadium.store.Batch;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.FullException;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.torture.check.Content;
import io.kvstadium.torture.check.Finding;
import io.kvstadium.torture.check.Operation;
import io.kvstadium.torture.check.Operation.Change;
import io.kvstadium.torture.check.Plan;
import io.kvstadium.torture.check.Sessions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * The process that gets the fault: it opens the store and writes what the plan says until it is
 * told to close the store, or dies.
 */
public final class WorkerMain {
  /** The size of the values that fill a disk. */
  private static final int FILLING = 64 << 10;

  /** How much each writer writes on a disk that was full. */
  private static final int RESUMED = 5;

  private final Line line;
  private Store store;
  private final List<Table<byte[], byte[]>> tables = new ArrayList<>();
  private final Plan plan;
  private final int session;
  private final AtomicLongArray acknowledged;
  private final long pauseNanos;
  private final Path backups;
  private final boolean onFullDisk;
  private volatile boolean stopping;

  private WorkerMain(Line line, Store store, WorkerArguments arguments) {
    this.line = line;
    this.store = store;
    plan = Plan.parse(arguments.get("plan"));
    session = Integer.parseInt(arguments.get("session"));
    acknowledged = new AtomicLongArray(Sessions.counts(arguments.get("start")));
    pauseNanos = Long.parseLong(arguments.get("pause"));
    backups = Path.of(arguments.get("backups"));
    onFullDisk = Boolean.parseBoolean(arguments.get("fills"));
    for (int table = 0; table < plan.tables(); table++) {
      tables.add(store.table(Plan.tableName(table)));
    }
  }

  /** Arguments: {@link WorkerArguments}. Standard input: a byte asks to close, its end to end. */
  public static void main(String[] args) throws IOException, InterruptedException {
    WorkerArguments arguments = WorkerArguments.of(args);
    try (Line line = new Line(Path.of(arguments.get("socket")))) {
      line.send(new Message.Opening());
      long began = System.nanoTime();
      Store store;
      try {
        store = WorkerArguments.engines().open(arguments.get("url"), OpenOptions.DEFAULT);
      } catch (RuntimeException e) {
        line.send(Finding.Kind.CANNOT_OPEN, "opening it to write", e);
        return;
      }
      line.send(
          new Message.Opened(
              System.nanoTime() - began,
              store.durability().word(),
              store.capabilities().stream().map(Capability::name).toList()));
      if (arguments.all().containsKey("plan")) {
        new WorkerMain(line, store, arguments).run(arguments.get("also"));
      } else {
        awaitOrder();
      }
      line.send(new Message.Closing());
      try {
        store.close();
        line.send(new Message.Done());
      } catch (StadiumException e) {
        line.failed("closing it", e);
      }
    }
  }

  /** Waits for an order, and returns it; ends this process if the parent ends. */
  private static int awaitOrder() throws IOException {
    int order = System.in.read();
    if (order < 0) {
      Runtime.getRuntime().halt(1);
    }
    if (order != JavaChild.RESUME) {
      WorkerArguments.endWithParent();
    }
    return order;
  }

  private void run(String also) throws IOException, InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < plan.writers(); i++) {
      int writer = i;
      threads.add(named("writer " + writer).start(() -> write(writer)));
    }
    CountDownLatch ended = new CountDownLatch(1);
    if (also.contains("compact") && store.capabilities().contains(Capability.COMPACT)) {
      threads.add(repeat(ended, store::compact, "compact()"));
    }
    if (also.contains("sync")) {
      threads.add(repeat(ended, this::sync, "sync()"));
    }
    if (also.contains("backup") && store.capabilities().contains(Capability.BACKUP)) {
      threads.add(repeat(ended, this::backup, "backup()"));
    }
    if (onFullDisk && store.capabilities().contains(Capability.TABLES)) {
      threads.add(repeat(ended, this::fill, "a write of something new"));
    }
    int order = awaitOrder();
    stopping = true;
    ended.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    if (order == JavaChild.RESUME) {
      resume();
      awaitOrder();
    }
  }

  /** The disk has space again: the store goes on as it is if it says so, or else opened again. */
  private void resume() {
    try {
      if (!store.capabilities().contains(Capability.RESUME_AFTER_FULL)) {
        reopen();
      }
      for (int writer = 0; writer < plan.writers(); writer++) {
        for (int i = 0; i < RESUMED; i++) {
          long number = acknowledged.get(writer);
          apply(writer, number); // the first may have been done in part
          line.send(new Message.Acknowledged(writer, number));
          acknowledged.set(writer, number + 1);
        }
      }
      line.send(new Message.Resumed());
    } catch (StadiumException e) {
      line.send(Finding.Kind.STAYS_FULL, "when the disk had space again", e);
    }
  }

  private void reopen() {
    try {
      store.close();
    } catch (StadiumException e) {
      // of what it could not write
    }
    store = WorkerArguments.engines().open(store.url(), OpenOptions.DEFAULT);
    tables.replaceAll(table -> store.table(table.name()));
  }

  /** Builds a thread that reports exceptions that no library should throw. */
  private Thread.Builder named(String name) {
    return Thread.ofPlatform()
        .name(name)
        .uncaughtExceptionHandler((_, e) -> line.send(Finding.Kind.CRASH, name + " died", e));
  }

  private Thread repeat(CountDownLatch ended, Runnable action, String name) {
    SplittableRandom random = new SplittableRandom(plan.seed() + session);
    return named(name)
        .start(() -> {
          try {
            while (!stopping) {
              action.run();
              if (ended.await(random.nextInt(1, 40), java.util.concurrent.TimeUnit.MILLISECONDS)) {
                return;
              }
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (StadiumException e) {
            line.failed(name, e);
          }
        });
  }

  private void sync() {
    long[] before = seen();
    store.sync();
    line.send(new Message.Synced(before));
  }

  private void backup() {
    long[] before = seen();
    line.send(new Message.BackedUp(Backups.in(backups).create(store).id(), before));
  }

  /**
   * Writes what nobody reads, in a separate table: stores that reuse their space would not grow
   * from what the writers overwrite.
   */
  private void fill() {
    byte[] value = new byte[FILLING];
    ThreadLocalRandom.current().nextBytes(value);
    Entry<byte[], byte[]> entry =
        new Entry<>((session + "/" + System.nanoTime()).getBytes(StandardCharsets.US_ASCII), value);
    Table<byte[], byte[]> table = store.table("filling");
    if (store.capabilities().contains(Capability.WRITE)) {
      table.put(entry.key(), entry.value());
    } else {
      table.bulkLoad(List.of(entry).iterator(), true);
    }
  }

  private long[] seen() {
    long[] seen = new long[acknowledged.length()];
    for (int i = 0; i < seen.length; i++) {
      seen[i] = acknowledged.get(i);
    }
    return seen;
  }

  private void write(int writer) {
    long number = acknowledged.get(writer);
    try {
      while (!stopping) {
        apply(writer, number);
        line.send(new Message.Acknowledged(writer, number));
        number++;
        acknowledged.set(writer, number);
        if (pauseNanos > 0) {
          LockSupport.parkNanos(pauseNanos);
        }
      }
    } catch (StadiumException e) {
      line.failed("writer " + writer + "'s operation " + number, e);
      if (onFullDisk) {
        read(writer);
      }
    }
  }

  /**
   * Checks only that everything can be read, whatever it is, or that the store says that it must be
   * reopened because the disk is full.
   */
  private void read(int writer) {
    try {
      for (int slot = 0; slot < plan.slots(); slot++) {
        tables.get(Plan.table(slot)).get(Plan.key(writer, slot));
      }
    } catch (StadiumException e) {
      if (!(e instanceof FullException)) {
        line.send(Finding.Kind.CANNOT_READ, "a read after a write had failed", e);
      }
    }
  }

  private void apply(int writer, long number) {
    Operation operation = plan.operation(writer, number);
    Content content = new Content(session, number, seen());
    switch (operation.kind()) {
      case PUT, DELETE -> put(writer, operation, content, tables::get);
      case BATCH -> store.write(batch -> put(writer, operation, content, batch));
      case TRANSACTION ->
          store.transact(transaction -> {
            put(writer, operation, content, table -> transaction.on(tables.get(table)));
            return true;
          });
      case LOAD -> {
        int table = Plan.table(operation.changes().getFirst().slot());
        tables
            .get(table)
            .bulkLoad(
                operation.changes().stream()
                    .map(change ->
                        new Entry<>(
                            Plan.key(writer, change.slot()), content.value(plan, writer, change)))
                    .iterator(),
                true);
      }
    }
  }

  private void put(int writer, Operation operation, Content content, Batch batch) {
    for (Change change : operation.changes()) {
      Table<byte[], byte[]> table = tables.get(Plan.table(change.slot()));
      byte[] key = Plan.key(writer, change.slot());
      if (change.deletes()) {
        batch.delete(table, key);
      } else {
        batch.put(table, key, content.value(plan, writer, change));
      }
    }
  }

  private void put(
      int writer,
      Operation operation,
      Content content,
      Function<Integer, Table<byte[], byte[]>> tableOf) {
    for (Change change : operation.changes()) {
      Table<byte[], byte[]> table = tableOf.apply(Plan.table(change.slot()));
      byte[] key = Plan.key(writer, change.slot());
      if (change.deletes()) {
        table.delete(key);
      } else {
        table.put(key, content.value(plan, writer, change));
      }
    }
  }
}
