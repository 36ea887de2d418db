package io.kvstadium.torture;

/**
 * Something that should not be.
 *
 * @param kind of what class
 * @param detail a sentence
 */
public record Finding(Kind kind, String detail) {
  /** The classes of findings. */
  public enum Kind {
    /** What was acknowledged, and must be there, is not. */
    LOST_ACK("lost"),
    /** A part of an atomic operation is there. */
    TORN_BATCH("torn batch"),
    /** Something is missing in the middle of the history. */
    NOT_A_PREFIX("no prefix"),
    /** An entry that nobody wrote, or that was overwritten or removed long ago. */
    GHOST("ghost"),
    /** Reads by key, scans forwards and scans backwards differ. */
    SCAN_GET_MISMATCH("scan ≠ get"),
    /** A value with other bytes than were written. */
    WRONG_BYTES("wrong bytes"),
    /** A backup that was made meanwhile is damaged, or holds something else than it should. */
    BAD_BACKUP("bad backup"),
    /** The store says that it is damaged. */
    REPORTED_CORRUPTION("reported damage"),
    /** The store cannot be opened. */
    CANNOT_OPEN("cannot open"),
    /** A write was refused for want of room, as it shall be on a full disk. */
    NO_ROOM("no room"),
    /** After that it could not be read. */
    CANNOT_READ("cannot read"),
    /** A call failed with something else. */
    ERROR("error"),
    /** The process that used the store died by itself, or a thread of it. */
    CRASH("crash"),
    /** The process that used the store did not end. */
    HANG("hang");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** For tables. */
    public String words() {
      return words;
    }
  }

  @Override
  public String toString() {
    return kind + ": " + detail;
  }
}
