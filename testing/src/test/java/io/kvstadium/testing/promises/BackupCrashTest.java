package io.kvstadium.testing.promises;

import io.kvstadium.backup.Backups;
import io.kvstadium.testing.Acknowledged;
import io.kvstadium.testing.CrashTest;
import io.kvstadium.torture.fault.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** A backup that was made, and a store that was restored, are there and whole. */
@Tag("full")
@CrashTest(
    faults = {Fault.KILL, Fault.POWER, Fault.SECTOR},
    rounds = 12)
class BackupCrashTest {
  private static final int BACKUPS = 40;
  private static final List<String> ENGINES = List.of("rocksdb", "sqlite");

  void work(Path directory, Acknowledged acknowledged) {
    for (int i = 0; i < BACKUPS; i++) {
      String engine = ENGINES.get(i % ENGINES.size());
      Backups backups = Backups.in(directory.resolve("backups-" + engine));
      try (Numbers numbers = Numbers.open(Numbers.durable(engine, directory))) {
        long number = numbers.add(); // never below the number of the backup
        long id = backups.create(numbers.store()).id();
        acknowledged.add("backup-" + engine + " " + id);
        acknowledged.add("number-" + engine + " " + number);
        backups.prune(2);
        Path again = directory.resolve("again-" + engine + "-" + id);
        backups.restore(id, again);
        acknowledged.add("restored-" + engine + " " + id);
      }
    }
  }

  void check(Path directory, List<String> acknowledged) throws IOException {
    for (String engine : ENGINES) {
      long made = Numbers.last(acknowledged, "backup-" + engine);
      Path place = directory.resolve("backups-" + engine);
      if (made == 0 && !Files.exists(place)) {
        continue;
      }
      Backups backups = Backups.in(place);
      List<Long> ids = backups.ids();
      if (made > 0 && !ids.contains(made)) {
        throw new AssertionError("backup " + made + " was made; there are " + ids);
      }
      for (long id : ids) {
        List<String> problems = backups.verify(id);
        if (!problems.isEmpty()) {
          throw new AssertionError(String.join(", ", problems));
        }
      }
      if (made > 0) {
        Path trial = Files.createTempDirectory("restored").resolve("store");
        restored(backups.restore(made, trial), Numbers.last(acknowledged, "number-" + engine));
      }
      long restored = Numbers.last(acknowledged, "restored-" + engine);
      if (restored > 0) {
        restored(engine + ":" + directory.resolve("again-" + engine + "-" + restored), restored);
      }
    }
  }

  private static void restored(String url, long number) {
    try (Numbers numbers = Numbers.openExisting(url)) {
      numbers.check(number);
    }
  }
}
