package io.kvstadium.torture.fault;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Durability;
import io.kvstadium.torture.check.Guarantee;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What is done to a store. */
public enum Fault {
  /** The process that writes dies by SIGKILL. */
  KILL("kill -9 of the process"),
  /** The server that the engine has started dies by SIGKILL, but not the process that writes. */
  SERVER("kill -9 of the engine's own server"),
  /** The file system loses what was not flushed; needs root and Linux. */
  POWER("power cut, ext4 or XFS on a loop device"),
  /** KV Stadium's own file system loses pages, sectors and names; needs root, Linux and FUSE. */
  SECTOR("power cut that loses sectors and names, by FUSE"),
  /** As SECTOR, and each flush takes up to a tenth of a second. */
  SLOW("power cut of a slow disk, by FUSE"),
  /** As SECTOR, but flushes do nothing: no engine can cope with that. */
  LIE("power cut of a disk that lies about flushes, by FUSE"),
  /** A system call that flushes fails in the middle; needs strace. */
  EIO("flushes that fail with EIO or ENOSPC, by strace"),
  /** The disk fills up; needs root and Linux. */
  FULL("full disk"),
  /** Bytes of the closed store change. */
  FLIP("changed bytes in a closed store");

  private final String description;

  Fault(String description) {
    this.description = description;
  }

  /** As on the command line: {@code kill}, {@code power} … */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** A short description for people. */
  public String description() {
    return description;
  }

  /**
   * The fault that a word names.
   *
   * @throws BadArgumentException if it names none
   */
  public static Fault of(String word) {
    return Arrays.stream(values())
        .filter(fault -> fault.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            new BadArgumentException(
                "unknown fault '"
                    + word
                    + "': use "
                    + Arrays.stream(values()).map(Fault::word).collect(Collectors.joining(", "))));
  }

  /** What a level guarantees under this fault, and therefore what is demanded. */
  public Guarantee guarantee(Durability level) {
    return switch (this) {
      case KILL, SERVER, EIO, FULL ->
          level.compareTo(Durability.PROCESS) >= 0 && level != Durability.ENGINE_DEFAULT
              ? Guarantee.ALL
              : Guarantee.NOTHING;
      case POWER, SECTOR, SLOW ->
          switch (level) {
            case NONE, PROCESS, ENGINE_DEFAULT -> Guarantee.NOTHING;
            case CONSISTENT -> Guarantee.PREFIX;
            case POWER -> Guarantee.ALL;
          };
      case LIE, FLIP -> Guarantee.NOTHING;
    };
  }
}
