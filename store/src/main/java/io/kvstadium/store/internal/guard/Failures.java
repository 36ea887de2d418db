package io.kvstadium.store.internal.guard;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.ConflictException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.FullException;
import io.kvstadium.store.LockedException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.store.UnknownOutcomeException;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.help.NativeCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Says in the library's words why an engine's calls failed. Thread-safe. */
public final class Failures {
  private final String engine;
  private final String place;
  private final @Nullable Path directory;
  private final Function<Throwable, @Nullable Failure> classifier;
  private volatile boolean full; // some call failed with that

  /**
   * @param engine its name
   * @param place the place of the store, as its users know it: a directory or an address
   * @param directory where its files are, or {@code null}
   * @param classifier the adapter's classifier
   */
  public Failures(
      String engine,
      String place,
      @Nullable Path directory,
      Function<Throwable, @Nullable Failure> classifier) {
    this.engine = engine;
    this.place = place;
    this.directory = directory;
    this.classifier = classifier;
  }

  /** What to throw; an {@link Error} of the virtual machine is thrown at once. */
  public RuntimeException of(Throwable thrown) {
    if (thrown instanceof StadiumException known) {
      return known;
    }
    Failure failure = classifier.apply(thrown);
    if (failure == null && thrown instanceof IOException) {
      failure = Failure.ofFiles(thrown);
    }
    String forbidden =
        failure == null && thrown instanceof LinkageError ? NativeCode.forbidden() : null;
    if (forbidden != null) { // a library that is loaded at its first use
      throw new UnsupportedException(text(forbidden, "", ""), thrown);
    }
    if (failure != null) {
      return worded(failure, thrown);
    }
    return switch (thrown) {
      case Error error -> throw error;
      case RuntimeException exception -> exception;
      default -> new StadiumException(text("a call failed", "", said(thrown)), thrown);
    };
  }

  private StadiumException worded(Failure classified, Throwable thrown) {
    Failure failure = unlessFull(classified);
    full |= failure.kind() == Failure.Kind.FULL;
    // a full disk that the engine knows of needs no more words, and engines have many for it
    String said = classified.kind() == Failure.Kind.FULL ? "" : said(thrown);
    Path locked = failure.kind() == Failure.Kind.LOCKED ? directory : null;
    String by = locked == null ? "" : OpenElsewhere.by(locked);
    String text = text(failure.what() + by, failure.advice(), said);
    StadiumException worded =
        switch (failure.kind()) {
          case FULL -> new FullException(text, thrown);
          case LOCKED -> new LockedException(text, thrown);
          case CORRUPT -> new CorruptException(text, thrown);
          case CONFLICT -> new ConflictException(text, thrown);
          case UNKNOWN_OUTCOME -> new UnknownOutcomeException(text, thrown);
          case IO -> new StoreIoException(text, thrown);
          case ARGUMENT -> new BadArgumentException(text, thrown);
          case OTHER -> new StadiumException(text, thrown);
        };
    worded.blocks(failure.blocks());
    return worded;
  }

  /**
   * On a full disk one call gets that error, and others of the same store, or a sync, fail with
   * something else because of it, even if the engine has freed some room meanwhile.
   */
  private Failure unlessFull(Failure failure) {
    if (failure.kind() != Failure.Kind.IO || directory == null) {
      return failure;
    }
    Failure writing = full ? Failure.full() : Failure.ofWriting(directory);
    return writing.kind() == Failure.Kind.FULL ? writing.blocking(failure.blocks()) : failure;
  }

  private static String said(Throwable thrown) {
    String message = thrown.getMessage();
    return " (" + (message == null ? thrown.toString() : message.strip()) + ")";
  }

  private String text(String what, String advice, String said) {
    return "engine %s, %s: %s%s%s"
        .formatted(engine, place, what, advice.isEmpty() ? "" : ": " + advice, said);
  }
}
