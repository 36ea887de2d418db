package io.kvstadium.store;

import java.nio.file.Path;
import java.util.List;

/**
 * The backups of a store in a directory, as {@link Store#backup} makes them. Thread-safe; need not
 * be closed, and reads the directory afresh at each call.
 *
 * <p>A file that several backups share is stored once. Files under this directory must not be
 * changed or renamed; the directory as a whole may be moved and copied.
 */
public final class Backups {
  private final BackupRepository repository;
  private final BackupRestore restore;

  private Backups(Path directory, Engines engines) {
    this.repository = new BackupRepository(Arguments.given("Backups.in", "directory", directory));
    this.restore = new BackupRestore(repository, Arguments.given("Backups.in", "engines", engines));
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
    return restore.to(id, Arguments.given("restore", "directory", directory));
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
    return restore.to(id, Arguments.given("restore", "URL", url));
  }
}
