package io.kvstadium.bench.run;

import io.kvstadium.bench.data.Dataset;
import io.kvstadium.bench.data.EntryFile;
import io.kvstadium.bench.sql.SqlDataset;
import io.kvstadium.bench.trial.Source;
import io.kvstadium.bench.worker.Languages;
import io.kvstadium.store.StoreIoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A copy of data in the directory of a run: the rows of a database, so that all trials have the
 * same even after an interruption or when trials are added, whatever becomes of the database; and
 * data that would take each trial long to read, such as a million small files.
 */
public final class DataCopy {
  /** Name of the file in the run's directory. */
  static final String FILE = "data.entries";

  private DataCopy() {}

  /**
   * Copies the user's data, if that is a database or many files, or is read in another language
   * too.
   *
   * @param languages whose engines may bring its driver
   * @param tell is called before the copy is made, which may take minutes
   * @return settings that make trials read the copy; the same ones if none is needed
   * @throws io.kvstadium.store.BadArgumentException if the data cannot be read; then nothing is
   *     left behind
   */
  public static Settings make(Settings settings, Languages languages, Consumer<String> tell) {
    Source source = settings.source();
    if (source == null) {
      return settings;
    }
    boolean database = SqlDataset.names(source.path());
    Dataset table = database ? UserData.table(source, languages.java()) : source.dataset();
    if (!database && languages.workers().isEmpty() && !table.isSlow()) {
      return settings;
    }
    Path copy = settings.out().resolve(FILE);
    String shown = SqlDataset.masked(source.path());
    tell.accept("copying " + shown + " into one file, once for all trials");
    RunDirectory.create(settings.out());
    try {
      EntryFile.copy(table, copy);
    } catch (RuntimeException e) {
      RunDirectory.removeIfEmpty(settings.out());
      throw e;
    }
    return settings.with(source.copied(shown, copy));
  }

  /** Removes the copy of a run that did not begin, and its directory if nothing else is there. */
  public static void discard(Settings settings) {
    Source source = settings.source();
    if (source != null && source.copy() != null && !Runner.hasRun(settings.out())) {
      try {
        Files.deleteIfExists(Path.of(source.copy()));
      } catch (IOException e) {
        throw new StoreIoException("cannot remove " + source.copy() + ": " + e, e);
      }
      RunDirectory.removeIfEmpty(settings.out());
    }
  }
}
