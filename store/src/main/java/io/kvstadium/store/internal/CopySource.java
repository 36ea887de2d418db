package io.kvstadium.store.internal;

import io.kvstadium.store.engine.BackupTarget;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An open store, for those who copy its files. */
public interface CopySource {
  /** Refuses a copy that this store cannot give, or not now; nothing is touched. */
  void checkCopy();

  /** Its directory, or {@code null} if it has none. */
  @Nullable Path directory();

  /** What tells it from all other stores, or {@code null} if nothing but its place does. */
  @Nullable String identity();

  /** The options to open a copy with; none for a store elsewhere, whose may hold a password. */
  Map<String, String> copyOptions();

  /**
   * Copies its files, as they are at one moment, with the marks that make them a store.
   *
   * @return false if its engine has no better way than a copy of its entries; nothing is written
   */
  boolean copyFiles(BackupTarget target);
}
