package io.kvstadium.store.engine;

import java.nio.file.Path;

/** Where {@link EngineStore#backup} puts the copy of a store. Used by one thread at a time. */
public interface BackupTarget {
  /**
   * A directory, empty at first, for the files that the engine writes for the copy, under the names
   * that they have in a store. It may be on a different disk from the store. Nobody changes a file
   * in it after the backup has returned.
   */
  Path directory();

  /**
   * Adds a file of the store as it is. A file that an earlier backup has is not copied again; it is
   * recognized by its name, length, time and identity in the file system.
   *
   * @param file a file that nobody changes any more, whatever happens to the store; it may be
   *     removed as soon as this has returned
   * @param name its name in the copy
   */
  void addImmutable(Path file, String name);
}
