package io.kvstadium.engine.sparkey;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import java.io.File;
import java.io.IOException;
import java.util.Locale;

/** Says Sparkey's errors in the library's words. */
final class Failures {
  private Failures() {}

  /** For what reading a pair of files met: its files never change, so it is damage. */
  static StadiumException reading(File base, Throwable error) {
    return error instanceof StadiumException known
        ? known
        : new CorruptException(
            "engine sparkey: "
                + base
                + ".spl or .spi is damaged or missing ("
                + error
                + "): restore both from a backup, or load the table again after deleting both",
            error);
  }

  /** For what writing a pair of files met. */
  static StadiumException writing(File base, IOException error) {
    String text = String.valueOf(error).toLowerCase(Locale.ROOT);
    if (text.contains("no space") || text.contains("not enough space") || text.contains("quota")) {
      return new FullException(
          "engine sparkey: no room for "
              + base
              + " ("
              + error
              + "): the table is as it was; free space for it in whole beside the present one, and"
              + " load again",
          error);
    }
    return new StoreIoException(
        "engine sparkey: cannot write "
            + base
            + " ("
            + error
            + "): the table is as it was; check the disk, open the store again and load again",
        error);
  }
}
