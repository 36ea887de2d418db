package io.kvstadium.store.engine.declare;

import java.io.File;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What a failure means, as the engine's adapter {@link
 * io.kvstadium.store.engine.EngineStore#classify classifies} it. The library makes the exception
 * from it, with the engine's name, the place and the engine's own words in a uniform format, and
 * refuses what must not continue.
 *
 * @param kind which exception the application gets
 * @param what what is wrong, a few words that begin in lower case: {@code the map is full}
 * @param advice what to do about it: {@code open with a larger map_size}; empty if nothing can be
 *     done
 * @param blocks what the library refuses from now on, if it happened in a call that writes
 */
public record Failure(Kind kind, String what, String advice, Blocks blocks) {
  private static final long NO_ROOM = 1 << 20;

  /** What went wrong. */
  public enum Kind {
    /** No room: on the disk, in a map, for an entry. */
    FULL,
    /** Another process or handle has the store. */
    LOCKED,
    /** What is stored cannot be read. */
    CORRUPT,
    /** Lost against another writer; another attempt may succeed. */
    CONFLICT,
    /** Servers did not answer a call that writes, which may have been done or not. */
    UNKNOWN_OUTCOME,
    /** Reading or writing files, or talking to a server, failed. */
    IO,
    /** The caller asked for something impossible. */
    ARGUMENT,
    /** None of these. */
    OTHER
  }

  /** What cannot be trusted any more until the store is opened again. */
  public enum Blocks {
    /** Nothing; everything can be trusted. */
    NOTHING,
    /** Reads are correct, but what is written might be lost. */
    WRITES,
    /** Memory and files may differ. */
    ALL
  }

  /** Blocks everything if it is {@link Kind#IO}, otherwise nothing. */
  public Failure(Kind kind, String what, String advice) {
    this(kind, what, advice, kind == Kind.IO ? Blocks.ALL : Blocks.NOTHING);
  }

  /**
   * What a failure of reading or writing files means, judging by the operating system's message.
   */
  public static Failure ofFiles(Throwable thrown) {
    String said = String.valueOf(thrown.getMessage()).toLowerCase(Locale.ROOT);
    return ofFiles(
        said.contains("no space")
            || said.contains("not enough space")
            || said.contains("quota exceeded"));
  }

  /**
   * What a failed write means on an engine that does not say why: the disk is full if there is
   * almost no room left.
   */
  public static Failure ofWriting(Path directory) {
    File place = directory.toFile();
    return ofFiles(
        place.getUsableSpace() < NO_ROOM && place.getTotalSpace() > 0); // 0 if it is gone
  }

  /** The failure for a lack of room, on an engine that has to be opened again. */
  public static Failure full() {
    return new Failure(Kind.FULL, "the disk is full", "make room, then open the store again");
  }

  /** The failure for a lack of room, on an engine that goes on when there is some. */
  public static Failure goesOnWhenFree() {
    return new Failure(Kind.FULL, "the disk is full", "make room");
  }

  private static Failure ofFiles(boolean full) {
    return full
        ? full()
        : new Failure(
            Kind.IO,
            "reading or writing files failed",
            "check the disk and permissions, then open it again");
  }

  /** Returns a copy with what is refused from now on. */
  public Failure blocking(Blocks refused) {
    return new Failure(kind, what, advice, refused);
  }
}
