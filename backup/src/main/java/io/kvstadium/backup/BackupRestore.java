package io.kvstadium.backup;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Engines;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreUrl;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.help.FileTrees;
import io.kvstadium.store.internal.open.StoreDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.UUID;

/**
 * Makes stores from backups. A directory is prepared beside its place and moved there in one step,
 * once all of it was found to be as the manifest says.
 */
final class BackupRestore {
  private final BackupRepository repository;
  private final Engines engines;

  BackupRestore(BackupRepository repository, Engines engines) {
    this.repository = repository;
    this.engines = engines;
  }

  /** Restores to a directory; returns the URL of the store. */
  String to(long id, Path directory) {
    Backup backup = repository.manifest(id).backup();
    String url = backup.url(directory);
    if (backup.form() == Backup.Form.ENTRIES) {
      return to(id, url);
    }
    repository.refuseInside(directory);
    prepared(directory, unfinished -> copy(backup, unfinished));
    return url;
  }

  /** Restores to the place of a URL; returns the URL. */
  String to(long id, String url) {
    BackupManifest manifest = repository.manifest(id);
    Backup backup = manifest.backup();
    String identity = manifest.store();
    StoreConfig config = engines.config(url);
    StoreUrl parsed = StoreUrl.parse(url);
    Path path = config.path();
    if (path != null) {
      repository.refuseInside(path);
    }
    if (backup.form() == Backup.Form.ENTRIES) {
      refuseDamaged(id);
      if (path != null && path.equals(Path.of(parsed.location()))) {
        prepared(
            path,
            unfinished -> {
              StoreUrl there =
                  new StoreUrl(parsed.engine(), unfinished.toString(), parsed.options());
              try (Store store = create(there.toString())) {
                load(backup, store);
              }
              if (identity != null) {
                Files.writeString(unfinished.resolve(StoreDirectory.ID_FILE), identity + "\n");
              }
            });
      } else {
        loadElsewhere(backup, url);
      }
      return url;
    }
    if (path == null || !parsed.engine().equals(backup.engine())) {
      throw new BadArgumentException(
          "backup %d has the files of a store of %s, which is not for %s: restore it to %s:DIRECTORY"
              .formatted(id, backup.engine(), url, backup.engine()));
    }
    prepared(path, unfinished -> copy(backup, unfinished));
    return url;
  }

  private void refuseDamaged(long id) {
    List<String> problems = repository.problems(id);
    if (!problems.isEmpty()) {
      throw new CorruptException(
          String.join("; ", problems) + ": nothing was restored; use another backup");
    }
  }

  /** What fills a directory. */
  private interface Filling {
    void fill(Path directory) throws IOException;
  }

  private static void prepared(Path place, Filling filling) {
    refuseOccupied(place);
    Path absolute = place.toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    if (parent == null) {
      throw new BadArgumentException(place + " cannot be the directory of a store: name another");
    }
    Path unfinished = parent.resolve(absolute.getFileName() + ".restoring-" + UUID.randomUUID());
    StoreDirectory made = new StoreDirectory(unfinished, "restoring");
    made.create();
    try {
      filling.fill(unfinished);
      BackupFiles.syncTree(unfinished);
      made.makeDurable();
      if (Files.exists(absolute)) { // empty, except perhaps for a lock
        Files.deleteIfExists(absolute.resolve(StoreDirectory.LOCK_FILE));
        Files.delete(absolute);
      }
      Files.move(unfinished, absolute, StandardCopyOption.ATOMIC_MOVE);
      BackupFiles.syncNames(parent);
    } catch (IOException e) {
      throw cleaned(unfinished, BackupFiles.failed(place, e));
    } catch (RuntimeException e) {
      throw cleaned(unfinished, e);
    }
  }

  private static void refuseOccupied(Path place) {
    List<Path> there;
    try {
      there = Files.exists(place) ? BackupFiles.all(place) : List.of();
    } catch (IOException e) {
      throw BackupFiles.failed(place, e);
    }
    for (Path file : there) {
      if (!file.endsWith(StoreDirectory.LOCK_FILE)) {
        throw new BadArgumentException(
            place + " holds files already: restore to a directory that is empty or missing");
      }
    }
  }

  private static RuntimeException cleaned(Path unfinished, RuntimeException failure) {
    try {
      FileTrees.remove(unfinished);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  private void copy(Backup backup, Path directory) throws IOException {
    for (Backup.File file : backup.files()) {
      Path stored = repository.stored(file.sha256());
      if (!BackupFiles.isFile(stored)) {
        throw damaged(backup, file, stored + " is missing");
      }
      BackupFiles.Content content =
          BackupFiles.copy(stored, directory.resolve(file.name()), RateLimiter.free());
      if (content.length() != file.length() || !content.sha256().equals(file.sha256())) {
        throw damaged(backup, file, stored + " has changed since the backup");
      }
    }
  }

  private static CorruptException damaged(Backup backup, Backup.File file, String what) {
    return new CorruptException(
        "backup %d, file %s: %s: nothing was restored; use another backup"
            .formatted(backup.id(), file.name(), what));
  }

  private Store create(String url) {
    return engines.open(url, OpenOptions.DEFAULT.errorIfExists(true));
  }

  private void load(Backup backup, Store store) throws IOException {
    long count = 0;
    for (Backup.File file : backup.files()) {
      count += BackupEntries.load(repository.stored(file.sha256()), store);
    }
    if (count != backup.entries()) {
      throw new CorruptException(
          "backup %d has %d entries instead of %d: nothing was restored; use another backup"
              .formatted(backup.id(), count, backup.entries()));
    }
    if (store.durability() != Durability.NONE) {
      store.sync();
    }
  }

  /** Loads into something other than the URL's directory, such as a database on a server. */
  private void loadElsewhere(Backup backup, String url) {
    Store store = create(url);
    try (store) {
      load(backup, store);
    } catch (IOException e) {
      throw destroyed(url, BackupFiles.failed(url, e));
    } catch (RuntimeException e) {
      throw destroyed(url, e);
    }
  }

  private RuntimeException destroyed(String url, RuntimeException failure) {
    try {
      engines.destroy(url);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }
}
