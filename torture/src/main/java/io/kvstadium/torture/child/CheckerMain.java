package io.kvstadium.torture.child;

import io.kvstadium.backup.Backups;
import io.kvstadium.store.Capability;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Cursor;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.torture.check.Checker;
import io.kvstadium.torture.check.Finding;
import io.kvstadium.torture.check.Finding.Kind;
import io.kvstadium.torture.check.Guarantee;
import io.kvstadium.torture.check.Plan;
import io.kvstadium.torture.check.Reading;
import io.kvstadium.torture.check.Sessions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The process that checks what a fault left: a damaged file may crash it. */
public final class CheckerMain {
  private CheckerMain() {}

  /** An entry that was read. */
  @SuppressWarnings("ArrayRecordComponent") // compared by content
  private record Read(byte[] key, byte[] value) {
    boolean sameAs(Read other) {
      return Arrays.equals(key, other.key) && Arrays.equals(value, other.value);
    }
  }

  /** Arguments: {@link WorkerArguments}. */
  public static void main(String[] args) throws IOException {
    WorkerArguments arguments = WorkerArguments.of(args);
    WorkerArguments.endWithParent();
    Plan plan = Plan.parse(arguments.get("plan"));
    try (Line line = new Line(Path.of(arguments.get("socket")))) {
      line.send(new Message.Opening());
      long began = System.nanoTime();
      Store store;
      try {
        store = WorkerArguments.engines().open(arguments.get("url"), OpenOptions.DEFAULT);
      } catch (CorruptException e) {
        line.send(Kind.REPORTED_CORRUPTION, "opening it", e);
        return;
      } catch (RuntimeException e) {
        line.send(Kind.CANNOT_OPEN, "opening it", e);
        return;
      }
      line.send(
          new Message.Opened(
              System.nanoTime() - began,
              store.durability().word(),
              store.capabilities().stream().map(Capability::name).toList()));
      try (store) {
        Sessions sessions = arguments.sessions();
        Reading reading = read(store, plan, sessions);
        Checker.Verdict verdict = arguments.checker(plan).check(reading);
        verdict.findings().forEach(finding -> line.send(new Message.Found(finding)));
        line.send(new Message.Present(verdict.present()));
        line.send(new Message.Closing());
        if (arguments.all().containsKey("backup")) {
          checkBackup(arguments, plan, sessions, line);
        }
      } catch (CorruptException e) {
        line.send(Kind.REPORTED_CORRUPTION, "reading it", e);
        return;
      } catch (StadiumException e) {
        line.send(Kind.ERROR, "reading it", e);
        return;
      }
      line.send(new Message.Done());
    }
  }

  /**
   * Checks the worker's last backup: it must have what was acknowledged when it began, and a prefix
   * of what followed.
   */
  private static void checkBackup(
      WorkerArguments arguments, Plan plan, Sessions sessions, Line line) throws IOException {
    long id = Long.parseLong(arguments.get("backup"));
    Path directory = Path.of(arguments.get("backups"));
    long[] before = Sessions.counts(arguments.get("backed up"));
    String what = "backup " + id + ": ";
    // not beside the store: on a disk after a power cut, removed files may be back
    Path restored = Path.of(System.getProperty("java.io.tmpdir")).resolve("restored");
    try {
      Backups backups = Backups.in(directory, WorkerArguments.engines());
      backups
          .verify(id)
          .forEach(problem ->
              line.send(new Message.Found(new Finding(Kind.BAD_BACKUP, what + problem))));
      String url = backups.restore(id, restored);
      try (Store store = WorkerArguments.engines().open(url, OpenOptions.DEFAULT)) {
        new Checker(plan, Guarantee.ALL, before, Sessions.counts(arguments.get("begun")), before)
            .check(read(store, plan, sessions))
            .findings()
            .forEach(
                each -> line.send(new Message.Found(new Finding(Kind.BAD_BACKUP, what + each))));
      }
    } catch (StadiumException e) {
      line.send(Kind.BAD_BACKUP, what + "restoring and reading it", e);
    } finally {
      Home.remove(restored);
    }
  }

  private static Reading read(Store store, Plan plan, Sessions sessions) {
    Reading reading = new Reading(plan);
    Set<String> there = new HashSet<>(store.tables());
    for (int table = 0; table < plan.tables(); table++) {
      if (table == 0 || there.contains(Plan.tableName(table))) {
        read(store.table(Plan.tableName(table)), table, store, reading, sessions, plan);
      }
    }
    return reading;
  }

  private static void read(
      Table<byte[], byte[]> table,
      int number,
      Store store,
      Reading reading,
      Sessions sessions,
      Plan plan) {
    List<Read> byGet = new ArrayList<>();
    for (int writer = 0; writer < plan.writers(); writer++) {
      for (int key = 0; key < Plan.KEYS; key++) {
        int slot = number * Plan.KEYS + key;
        byte[] name = Plan.key(writer, slot);
        byte[] value = table.get(name);
        if (value != null) {
          byGet.add(new Read(name, value));
          reading.add(writer, slot, value, sessions);
        }
      }
    }
    String where = "table " + table.name();
    if (store.capabilities().contains(Capability.ORDERED_SCAN)) {
      compare(byGet, scan(table, Range.all()), where + " forwards", reading);
      compare(
          byGet.reversed(),
          scan(table, Range.<byte[]>all().reverse()),
          where + " backwards",
          reading);
    } else if (store.capabilities().contains(Capability.SCAN)) {
      List<Read> scanned = scan(table, Range.all());
      scanned.sort((a, b) -> Arrays.compareUnsigned(a.key(), b.key()));
      compare(byGet, scanned, where + " in any order", reading);
    }
  }

  private static List<Read> scan(Table<byte[], byte[]> table, Range<byte[]> range) {
    List<Read> read = new ArrayList<>();
    try (Cursor<byte[], byte[]> cursor = table.scan(range)) {
      while (cursor.next()) {
        read.add(new Read(cursor.key(), cursor.value()));
      }
    }
    return read;
  }

  private static void compare(List<Read> byGet, List<Read> byScan, String how, Reading reading) {
    for (int i = 0; i < Math.max(byGet.size(), byScan.size()); i++) {
      Read got = i < byGet.size() ? byGet.get(i) : null;
      Read scanned = i < byScan.size() ? byScan.get(i) : null;
      if (got == null || scanned == null || !got.sameAs(scanned)) {
        reading.found(
            Kind.SCAN_GET_MISMATCH,
            "scanning "
                + how
                + " gives "
                + byScan.size()
                + " entries and reading by key "
                + byGet.size()
                + "; number "
                + (i + 1)
                + " is "
                + name(scanned)
                + " by scan and "
                + name(got)
                + " by key");
        return;
      }
    }
  }

  private static String name(@org.jspecify.annotations.Nullable Read read) {
    return read == null ? "nothing" : new String(read.key(), StandardCharsets.ISO_8859_1);
  }
}
