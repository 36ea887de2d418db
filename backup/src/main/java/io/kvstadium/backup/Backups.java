package io.kvstadium.backup;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.Engines;
import io.kvstadium.store.FullException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.Store;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.BackupTarget;
import io.kvstadium.store.internal.open.OpenStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The backups of a store in a directory, as {@link #create} makes them. Thread-safe; need not be
 * closed, and reads the directory afresh at each call.
 *
 * <p>A file that several backups share is stored once. Files under this directory must not be
 * changed or renamed; the directory as a whole may be moved and copied.
 */
public final class Backups {
  private final Path directory;
  private final BackupRepository repository;
  private final BackupRestore restore;

  private Backups(Path directory, Engines engines) {
    this.directory = directory;
    this.repository = new BackupRepository(directory);
    this.restore = new BackupRestore(repository, engines);
  }

  /** Returns the backups in a directory, which need not exist yet. */
  public static Backups in(Path directory) {
    return in(directory, Engines.installed());
  }

  /**
   * Returns the backups in a directory.
   *
   * @param engines the engines that backups can be restored to
   */
  public static Backups in(Path directory, Engines engines) {
    return new Backups(directory, engines);
  }

  /** Like {@link #create(Store, long)}, as fast as possible. */
  public Backup create(Store store) {
    return create(store, Long.MAX_VALUE);
  }

  /**
   * Adds a backup of a store, while others read and write. It has everything that was acknowledged
   * before this call, and a prefix of what is written meanwhile, each batch and transaction wholly
   * or not at all. When this returns, it survives a power cut; until then, and after a failure or a
   * kill, the directory has only its earlier backups.
   *
   * <p>What the directory already has is not stored again. It is for the backups of this store
   * only, not inside the store's own, and created if missing.
   *
   * @param maxRate the most bytes to copy per second, so that concurrent reads and writes get their
   *     share of the disk. It applies to files and entries that this library copies; what an engine
   *     copies on its own ({@code lmdb}, {@code sqlite}, {@code mvstore}, {@code h2}) is copied as
   *     fast as possible
   * @throws BadArgumentException if the rate is below 1, if the directory holds something else, or
   *     if called from inside a block or a value reader of this store
   * @throws LockedException if the directory is in use by another backup or removal
   * @throws UnsupportedException if the store has no {@link Capability#BACKUP}
   */
  public Backup create(Store store, long maxRate) {
    if (maxRate < 1) {
      throw new BadArgumentException(
          "a backup of " + maxRate + " bytes a second would never end: give at least 1");
    }
    OpenStore<?> source = OpenStore.of(store);
    source.checkCopy();
    RateLimiter limiter = new RateLimiter(maxRate);
    return repository.create(
        new BackupSource(
            store.engine().name(),
            store.engine().version(),
            source.place().storeId(),
            source.place().directory(),
            source.place().copyOptions(),
            target -> copyInto(target, store, source, limiter)),
        limiter);
  }

  /** The number of entries, or -1 if the engine gave files. */
  private long copyInto(
      BackupTarget target, Store store, OpenStore<?> source, RateLimiter limiter) {
    try {
      return source.copyFiles(target)
          ? -1
          : BackupEntries.write(store, target.directory().resolve(BackupEntries.FILE), limiter);
    } catch (FullException e) { // engines speak of their own place
      if (String.valueOf(e.getMessage()).contains(directory.toString())) {
        throw e;
      }
      throw new FullException(
          directory
              + ": no room there for the backup, or for the store meanwhile: make room, and back up"
              + " again ("
              + e.getMessage()
              + ")",
          e);
    } catch (IOException e) {
      throw BackupFiles.failed(target.directory(), e);
    }
  }

  /**
   * Returns all backups, oldest first.
   *
   * @throws BadArgumentException if the directory holds something else
   * @throws CorruptException if a manifest is damaged; the message names it
   */
  public List<Backup> list() {
    return repository.ids().stream().map(this::get).toList();
  }

  /**
   * Returns the numbers of all backups, oldest first, including those whose manifests are damaged.
   */
  public List<Long> ids() {
    return repository.ids();
  }

  /**
   * Returns the backup with this number.
   *
   * @throws BadArgumentException if there is none
   * @throws CorruptException if its manifest is damaged
   */
  public Backup get(long id) {
    return repository.manifest(id).backup();
  }

  /**
   * Reads all of a backup and compares it with the checksums in its manifest.
   *
   * @return the problems found, one sentence each; empty if there are none
   * @throws BadArgumentException if there is no such backup
   */
  public List<String> verify(long id) {
    return repository.problems(id);
  }

  /**
   * Removes a backup, and the files that no other backup needs. Space is freed only if the
   * manifests of all other backups can be read.
   *
   * @throws BadArgumentException if there is no such backup
   * @throws LockedException if a backup or removal is under way in the directory
   */
  public void delete(long id) {
    repository.delete(List.of(id));
  }

  /**
   * Removes all but the newest backups.
   *
   * @param keep how many to keep, at least 1
   * @return the numbers of the removed backups
   * @throws LockedException if a backup or removal is under way in the directory
   */
  public List<Long> prune(int keep) {
    if (keep < 1) {
      throw new BadArgumentException(keep + " backups cannot be kept: keep at least 1");
    }
    List<Long> ids = repository.ids();
    List<Long> old = ids.subList(0, Math.max(0, ids.size() - keep));
    repository.delete(old);
    return old;
  }

  /**
   * Restores a backup as a store with the engine and the options of the original. The store appears
   * in its place once it is complete, verified and synced; a process that is killed leaves at most
   * {@code directory.restoring-…} beside it.
   *
   * @param directory an empty directory, or one that does not exist
   * @return the URL that opens the store
   * @throws BadArgumentException if there is no such backup, or the directory holds files
   * @throws CorruptException if the backup is damaged; nothing is restored then
   */
  public String restore(long id, Path directory) {
    return restore.to(id, directory);
  }

  /**
   * Restores a backup to the place that a URL names, with the options of the URL. A backup of
   * {@link Backup.Form#ENTRIES} can be restored to any engine, a backup of files only to its own
   * engine.
   *
   * @return the URL
   * @throws BadArgumentException also if the store exists already, or its engine cannot read the
   *     files
   */
  public String restore(long id, String url) {
    return restore.to(id, url);
  }
}
