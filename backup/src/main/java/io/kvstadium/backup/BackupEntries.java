package io.kvstadium.backup;

import io.kvstadium.store.ConflictException;
import io.kvstadium.store.Store;
import io.kvstadium.transfer.CopyOptions.Existing;
import io.kvstadium.transfer.CopyProgress;
import io.kvstadium.transfer.Export;
import io.kvstadium.transfer.ExportOptions;
import io.kvstadium.transfer.Import;
import io.kvstadium.transfer.ImportOptions;
import io.kvstadium.transfer.format.ContentSum;
import io.kvstadium.transfer.format.Format;
import io.kvstadium.transfer.source.Sources;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** All entries of a store in one file, a dump. */
final class BackupEntries {
  static final String FILE = "entries.kvdump";

  /** By count: each is a whole export, which is lost to what began meanwhile, however long ago. */
  private static final int RESTARTS = 5;

  private BackupEntries() {}

  /** Writes what a snapshot has; returns how many entries there were. */
  static long write(Store store, Path file, RateLimiter limiter) throws IOException {
    for (int i = 1; ; i++) {
      try (OutputStream out = Files.newOutputStream(file)) {
        ExportOptions all = ExportOptions.DEFAULT;
        return Export.run(
                store,
                out,
                Format.DUMP,
                new ExportOptions(
                    all.tables(), all.range(), all.live(), all.bytes(), limiting(limiter)))
            .values()
            .stream()
            .mapToLong(ContentSum::entries)
            .sum();
      } catch (ConflictException e) {
        if (i == RESTARTS) {
          throw e; // a compaction makes snapshots useless, on some engines
        }
      }
    }
  }

  private static Consumer<CopyProgress> limiting(RateLimiter limiter) {
    long[] before = new long[1];
    return progress -> {
      limiter.passed(progress.bytes() - before[0]);
      before[0] = progress.bytes();
    };
  }

  /** Loads what was written into an empty store; returns how many entries there were. */
  static long load(Path file, Store store) throws IOException {
    ImportOptions unverified = // the dump has a sum of its own, which is compared
        new ImportOptions(ImportOptions.DEFAULT.tables(), Existing.REFUSE, false, false, _ -> {});
    try (InputStream in = BackupFiles.in(file)) {
      return Import.run(Sources.of(in, Format.DUMP), store, unverified).total().entries();
    }
  }
}
