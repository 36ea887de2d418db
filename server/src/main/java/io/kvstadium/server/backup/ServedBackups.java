package io.kvstadium.server.backup;

import io.kvstadium.backup.Backup;
import io.kvstadium.backup.Backups;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Store;
import io.kvstadium.store.UnsupportedException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The backups of a store in the directory that the operator named: clients choose numbers, never
 * names. Safe for all threads.
 */
public final class ServedBackups {
  private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,17}");

  private final Store store;
  private final BackupOptions asked;

  /**
   * Checks the directory, so that what is wrong with it is known before anything is served.
   *
   * @throws UnsupportedException if the store cannot be backed up
   */
  public ServedBackups(Store store, BackupOptions asked) {
    this.store = store;
    this.asked = asked;
    if (asked.directory() != null) {
      if (!store.capabilities().contains(Capability.BACKUP)) {
        throw new UnsupportedException(
            store.url()
                + ": a store of engine "
                + store.engine().name()
                + " as opened has no online backups: serve it without --backup-dir");
      }
      all().ids();
    }
  }

  private Path directory() {
    Path directory = asked.directory();
    if (directory == null) {
      throw new UnsupportedException(
          "this server keeps no backups: start it with --backup-dir DIR, or with directory = \"DIR\""
              + " under [backups] in its file");
    }
    return directory;
  }

  private Backups all() {
    return Backups.in(directory());
  }

  /**
   * Makes a backup, and removes the surplus ones.
   *
   * @throws UnsupportedException if the server keeps no backups
   */
  public Backup create() {
    Backup made = all().create(store, asked.maxRate());
    all().prune(asked.keep());
    return made;
  }

  /** All backups, the oldest first. */
  public List<Backup> list() {
    return all().list();
  }

  /**
   * The backup with this number.
   *
   * @return {@code null} if there is none
   * @throws BadArgumentException if it is not a number
   * @throws UnsupportedException if the server keeps no backups
   */
  public @Nullable Backup get(String number) {
    Long id = id(number);
    return id == null ? null : all().get(id);
  }

  /** What is wrong with a backup; {@code null} if there is no such backup. */
  public @Nullable List<String> verify(String number) {
    Long id = id(number);
    return id == null ? null : all().verify(id);
  }

  /** Removes a backup; returns false if there is no such backup. */
  public boolean delete(String number) {
    Long id = id(number);
    if (id == null) {
      return false;
    }
    all().delete(id);
    return true;
  }

  /** The number, or {@code null} if there is no such backup. */
  private @Nullable Long id(String number) {
    List<Long> ids = all().ids();
    if (!NUMBER.matcher(number).matches()) {
      throw new BadArgumentException(
          "'"
              + number
              + "' is not the number of a backup; there are: "
              + (ids.isEmpty() ? "none" : ids));
    }
    Long id = Long.valueOf(number);
    return ids.contains(id) ? id : null;
  }
}
