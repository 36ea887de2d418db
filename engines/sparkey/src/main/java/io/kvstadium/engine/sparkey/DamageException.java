package io.kvstadium.engine.sparkey;

import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Failure.Kind;
import java.io.File;
import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** An error met in reading a pair of files, which never change: so it is damage. */
final class DamageException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  DamageException(File base, Throwable cause) {
    super(base + ".spl or .spi: " + cause, cause);
  }

  static @Nullable Failure classify(Throwable thrown) {
    return switch (thrown) {
      case DamageException _ ->
          new Failure(
              Kind.CORRUPT,
              "a pair of files is damaged or missing",
              "restore both from a backup, or load the table again after deleting both");
      case IOException _ -> ofFiles(Failure.ofFiles(thrown));
      default -> null;
    };
  }

  private static Failure ofFiles(Failure failure) {
    String advice =
        failure.kind() == Kind.FULL
            ? "make room for the whole table beside the present one, which is as it was, and load it"
                + " again"
            : "check the disk, open the store again, and repeat the load: the table is as it was";
    return new Failure(failure.kind(), failure.what(), advice, failure.blocks());
  }
}
