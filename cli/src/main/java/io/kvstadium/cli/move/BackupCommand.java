package io.kvstadium.cli.move;

import io.kvstadium.backup.Backup;
import io.kvstadium.backup.Backups;
import io.kvstadium.bench.text.Units;
import io.kvstadium.cli.engines.Installed;
import io.kvstadium.cli.io.FirstSentences;
import io.kvstadium.cli.io.Quantities;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreUrl;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stadium backup}: makes and manages backups of a store. */
@Command(
    name = "backup",
    description = {
      FirstSentences.BACKUP,
      "What earlier backups hold is not stored again.",
      "A store that another process has open is read alongside it if the engine allows that;"
          + " otherwise that process must make the backup, with Store.backup or 'stadium serve"
          + " --backup-dir'."
    },
    customSynopsis = {
      "@|bold stadium backup|@ [--keep=N] [--max-rate=SIZE] [--engine-path=DIRS] URL DIR",
      "       @|bold stadium backup|@ list|verify|prune|restore DIR …"
    })
public final class BackupCommand implements Callable<Integer> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT)
          .withZone(ZoneId.systemDefault());

  @Spec private CommandSpec spec;
  @Mixin private Installed installed;

  @Parameters(
      index = "0",
      paramLabel = "URL",
      arity = "0..1",
      description = "URL of the store, such as rocksdb:data/app.")
  private @Nullable String url;

  @Parameters(
      index = "1",
      paramLabel = "DIR",
      arity = "0..1",
      description = "Directory for backups of this store only; created if missing.")
  private @Nullable Path directory;

  @Option(
      names = "--keep",
      paramLabel = "N",
      description = "Removes all but the newest N backups afterwards.")
  private @Nullable Integer keep;

  @Option(
      names = "--max-rate",
      paramLabel = "SIZE",
      description = {
        "Copies at most this many bytes per second, such as 50m, so that concurrent reads and"
            + " writes are slowed down less.",
        "Copies that the engine makes itself (lmdb, sqlite, mvstore, h2) are not limited."
      })
  private @Nullable String maxRate;

  @Override
  public Integer call() {
    if (url == null || directory == null) {
      throw new BadArgumentException(
          "give the URL of a store and a directory for its backups, as in 'stadium backup"
              + " rocksdb:data/app backups'; or list, verify, prune or restore");
    }
    checkKeep();
    long rate = maxRate == null ? Long.MAX_VALUE : Quantities.size("--max-rate", maxRate);
    long begun = System.nanoTime();
    Backup made;
    try (Store store = open(installed.engines(), url)) {
      made = Backups.in(directory).create(store, rate);
    }
    say(
        "backup %d: %s%s, %s of it copied, in %.1f s",
        made.id(),
        Units.bytes(made.bytes()),
        made.entries() < 0 ? "" : " with " + Quantities.entries(made.entries()),
        Units.bytes(made.written()),
        (System.nanoTime() - begun) / 1e9);
    if (keep != null) {
      removed(backups(directory).prune(keep));
    }
    return 0;
  }

  private void checkKeep() {
    if (keep != null && keep < 1) {
      throw new BadArgumentException("--keep " + keep + ": keep at least 1");
    }
  }

  /**
   * Opens the store for writing, since backups may then cost less, or else read-only alongside the
   * process that has it open.
   */
  private static Store open(Engines engines, String url) {
    try {
      return engines.open(url, OpenOptions.DEFAULT.createIfMissing(false));
    } catch (LockedException e) {
      boolean concurrent =
          engines
              .engine(StoreUrl.parse(url).engine())
              .info()
              .capabilities()
              .contains(Capability.CONCURRENT_READ_ONLY);
      if (!concurrent) {
        throw e;
      }
      return engines.open(url, OpenOptions.DEFAULT.readOnly(true));
    }
  }

  @Command(name = "list", description = "Lists the backups in a directory.")
  public int list(@Parameters(paramLabel = "DIR", description = "The directory.") Path where) {
    List<Backup> all = backups(where).list();
    if (all.isEmpty()) {
      say("no backups in %s", where);
      return 0;
    }
    say("%4s  %-19s  %-12s %-8s %10s %10s", "id", "time", "engine", "form", "size", "copied");
    for (Backup each : all) {
      say(
          "%4d  %-19s  %-12s %-8s %10s %10s",
          each.id(),
          TIME.format(each.time()),
          each.engine(),
          each.form().name().toLowerCase(Locale.ROOT),
          Units.bytes(each.bytes()),
          Units.bytes(each.written()));
    }
    return 0;
  }

  @Command(
      name = "verify",
      description =
          "Reads backups and compares them with their checksums; exits with 1 if one is bad.")
  public int verify(
      @Parameters(index = "0", paramLabel = "DIR", description = "The directory.") Path where,
      @Parameters(index = "1..*", paramLabel = "ID", description = "Only these (default: all).")
          @Nullable List<Long> ids) {
    Backups backups = backups(where);
    boolean good = true;
    for (long id : ids == null ? backups.ids() : ids) {
      List<String> problems = backups.verify(id);
      problems.forEach(problem -> say("%s", problem));
      if (problems.isEmpty()) {
        say("backup %d is intact", id);
      }
      good &= problems.isEmpty();
    }
    return good ? 0 : 1;
  }

  @Command(name = "prune", description = "Removes all but the newest backups.")
  public int prune(
      @Parameters(paramLabel = "DIR", description = "The directory.") Path where,
      @Option(
              names = "--keep",
              paramLabel = "N",
              required = true,
              description = "How many to keep, at least 1.")
          int count) {
    removed(backups(where).prune(count));
    return 0;
  }

  @Command(
      name = "restore",
      description = {
        "Makes a store from a backup and verifies it; overwrites nothing.",
        "A backup of entries can be restored to any engine, a backup of files only to its own."
      })
  public int restore(
      @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the backups.")
          Path where,
      @Parameters(
              index = "1",
              paramLabel = "TARGET",
              description =
                  "A directory that is empty or does not exist, or the URL of a store that does not"
                      + " exist.")
          String target,
      @Option(
              names = "--id",
              paramLabel = "ID",
              description = "ID of the backup (default: the newest).")
          @Nullable Long chosen) {
    Backups backups = backups(where);
    List<Long> ids = backups.ids();
    if (ids.isEmpty()) {
      throw new BadArgumentException("there are no backups in " + where);
    }
    long id = chosen == null ? ids.getLast() : chosen;
    boolean isUrl = target.matches("[a-z][a-z0-9_-]+:.*");
    String restored = isUrl ? backups.restore(id, target) : backups.restore(id, Path.of(target));
    say("restored backup %d to %s", id, restored);
    return 0;
  }

  private Backups backups(Path where) {
    return Backups.in(where, installed.engines());
  }

  private void removed(List<Long> ids) {
    say(
        ids.isEmpty() ? "nothing to remove" : "removed %s",
        String.join(", ", ids.stream().map(String::valueOf).toList()));
  }

  @SuppressWarnings("AnnotateFormatMethod") // would be a dependency for one annotation
  private void say(String format, Object... values) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(String.format(Locale.ROOT, format, values));
    out.flush();
  }
}
