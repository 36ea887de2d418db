package io.kvstadium.torture.check;

/**
 * Something that should not have happened.
 *
 * @param kind its class
 * @param detail a sentence about it
 */
public record Finding(Kind kind, String detail) {
  /** The classes of findings. */
  public enum Kind {
    /** Something acknowledged, which must be there, is missing. */
    LOST_ACK("lost"),
    /** Only a part of an atomic operation is there. */
    TORN_BATCH("torn batch"),
    /** Something is missing in the middle of the history. */
    NOT_A_PREFIX("no prefix"),
    /** An entry that nobody wrote, or that was overwritten or removed long ago. */
    GHOST("ghost"),
    /** Reads by key, scans forwards and scans backwards differ. */
    SCAN_GET_MISMATCH("scan ≠ get"),
    /** A value with other bytes than were written. */
    WRONG_BYTES("wrong bytes"),
    /** A backup that was made meanwhile is damaged, or holds something other than it should. */
    BAD_BACKUP("bad backup"),
    /** The store says that it is damaged. */
    REPORTED_CORRUPTION("reported damage"),
    /** The store cannot be opened. */
    CANNOT_OPEN("cannot open"),
    /** A write was refused for lack of space, as it should be on a full disk. */
    NO_ROOM("no room"),
    /** After that, the store could not be read. */
    CANNOT_READ("cannot read"),
    /** When the disk had space again, the store did not go on. */
    STAYS_FULL("stays full"),
    /** The check of a program says that something is wrong. */
    FAILED_CHECK("failed check"),
    /** A call failed with something else. */
    ERROR("error"),
    /** The process that used the store, or one of its threads, died on its own. */
    CRASH("crash"),
    /** The process that used the store did not end. */
    HANG("hang");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** Its words, for tables. */
    public String words() {
      return words;
    }
  }

  @Override
  public String toString() {
    return kind + ": " + detail;
  }
}
