package io.kvstadium.store;

import java.nio.file.Path;
import java.util.List;

/**
 * The backups of a store in a directory, as {@link Store#backup} makes them. Safe for all threads;
 * needs no close, and looks at the directory anew at each call.
 *
 * <p>Files that several backups have are there once. A file under this directory must not be
 * changed, nor renamed; the directory as a whole may be moved and copied.
 */
public final class Backups {
  private final BackupRepository repository;
  private final BackupRestore restore;

  private Backups(Path directory, Engines engines) {
    this.repository = new BackupRepository(Arguments.given("Backups.in", "directory", directory));
    this.restore = new BackupRestore(repository, Arguments.given("Backups.in", "engines", engines));
  }

  /** Those in a directory, which need not be there yet. */
  public static Backups in(Path directory) {
    return in(directory, Engines.installed());
  }

  /**
   * Those in a directory.
   *
   * @param engines may be restored to
   */
  public static Backups in(Path directory, Engines engines) {
    return new Backups(directory, engines);
  }

  /**
   * All, the oldest first.
   *
   * @throws BadArgumentException if the directory holds something else
   * @throws CorruptException if a manifest is damaged, with its name
   */
  public List<Backup> list() {
    return repository.ids().stream().map(this::get).toList();
  }

  /** The numbers of all, the oldest first; also of those whose manifests are damaged. */
  public List<Long> ids() {
    return repository.ids();
  }

  /**
   * The backup of this number.
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
   * @return what is wrong, a sentence each; empty if nothing is
   * @throws BadArgumentException if there is no such backup
   */
  public List<String> verify(long id) {
    return repository.problems(id);
  }

  /**
   * Removes a backup, and what no other one needs. Space is given back only if the manifests of all
   * others can be read.
   *
   * @throws BadArgumentException if there is no such backup
   * @throws LockedException if a backup or removal is under way in the directory
   */
  public void delete(long id) {
    repository.delete(List.of(id));
  }

  /**
   * Removes all but the newest.
   *
   * @param keep how many stay, at least 1
   * @return the numbers of those that were removed
   * @throws LockedException if a backup or removal is under way in the directory
   */
  public List<Long> prune(int keep) {
    if (keep < 1) {
      throw new BadArgumentException(keep + " backups cannot be kept: keep 1 at least");
    }
    List<Long> ids = repository.ids();
    List<Long> old = ids.subList(0, Math.max(0, ids.size() - keep));
    repository.delete(old);
    return old;
  }

  /**
   * Makes a store of a backup, with the engine and the options of the one that was backed up. It
   * appears in its place when all of it is there, verified and synced; a process that is killed
   * leaves {@code directory.restoring-…} beside it at most.
   *
   * @param directory empty, or not there
   * @return the URL that the store opens by
   * @throws BadArgumentException if there is no such backup, or the directory holds files
   * @throws CorruptException if the backup is damaged; nothing is restored then
   */
  public String restore(long id, Path directory) {
    return restore.to(id, Arguments.given("restore", "directory", directory));
  }

  /**
   * The same to the place, and with the options, of a URL. A backup of {@link Backup.Form#ENTRIES}
   * may go to any engine; one of files to its own engine only.
   *
   * @return the URL
   * @throws BadArgumentException also if there is such a store, or it is of an engine that cannot
   *     read the files
   */
  public String restore(long id, String url) {
    return restore.to(id, Arguments.given("restore", "URL", url));
  }
}
