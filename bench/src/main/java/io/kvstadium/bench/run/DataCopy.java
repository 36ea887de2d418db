package io.kvstadium.bench.run;

import io.kvstadium.bench.data.EntryFile;
import io.kvstadium.bench.data.SampledEntries;
import io.kvstadium.bench.data.Source;
import io.kvstadium.bench.result.Settings;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.transfer.CopyProgress;
import io.kvstadium.transfer.source.EntrySource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * The user's own data in the directory of a run: read once, so that all trials have the same even
 * after an interruption or when trials are added, whatever becomes of the source.
 */
public final class DataCopy {
  private DataCopy() {}

  /**
   * Copies the user's data.
   *
   * @param progress is told now and then how far it is
   * @return settings that make trials read the copy
   * @throws io.kvstadium.store.StadiumException if the data cannot be read; then nothing is left
   *     behind
   */
  public static Settings make(
      Settings settings, EntrySource source, Consumer<CopyProgress> progress) {
    Path copy = settings.out().resolve(Settings.DATA);
    RunDirectory.create(settings.out());
    try {
      EntryFile.copy(source, copy, progress);
    } catch (RuntimeException e) {
      RunDirectory.removeIfEmpty(settings.out());
      throw e;
    }
    return settings.with(changed -> changed.source = source(source.name(), settings.out()));
  }

  /** The copy in the directory of a run of what has this name. */
  public static Source source(String name, Path directory) {
    return new Source(name, directory.resolve(Settings.DATA).toAbsolutePath().toString());
  }

  /** Leaves one of so many entries in the copy. */
  public static void sample(Source source, int oneOf, Consumer<CopyProgress> progress) {
    EntryFile.copy(new SampledEntries(source.dataset(), oneOf), Path.of(source.copy()), progress);
  }

  /** Removes the copy of a run that did not begin, and its directory if nothing else is there. */
  public static void discard(Settings settings) {
    if (settings.source() != null && !Runner.hasRun(settings.out())) {
      remove(settings);
      RunDirectory.removeIfEmpty(settings.out());
    }
  }

  /** Removes the copy, if there is one: only an interrupted run needs it. */
  public static void remove(Settings settings) {
    Source source = settings.source();
    if (source != null) {
      try {
        Files.deleteIfExists(Path.of(source.copy()));
      } catch (IOException e) {
        throw new StoreIoException("cannot remove " + source.copy() + ": " + e, e);
      }
    }
  }
}
