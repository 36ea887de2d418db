package io.kvstadium.server.protocol;

import java.util.List;
import java.util.Set;

/**
 * What a request does to one of its keys, in the terms of Redis. The letters are those of the table
 * of commands, which also has g and c: options decide.
 */
public enum KeyUse {
  /** Reveals no more than whether it exists, its kind and its length. */
  LOOKS('l', "RO"),
  READS('r', "RO access"),
  /** Reads what it may rewrite in another form. */
  REVISES('a', "RW access"),
  UPDATES('u', "RW update"),
  INSERTS('i', "RW insert"),
  DELETES('d', "RW delete"),
  REMOVES('x', "RM delete"),
  READS_AND_UPDATES('b', "RW access update"),
  READS_AND_INSERTS('m', "RW access insert"),
  READS_AND_DELETES('p', "RW access delete"),
  OVERWRITES('o', "OW update"),
  CREATES('n', "OW insert");

  private static final Set<String> GET = Set.of("get");
  private static final Set<String> CHANGES = Set.of("set", "incrby");

  private final char letter;
  private final String flags;

  KeyUse(char letter, String flags) {
    this.letter = letter;
    this.flags = flags;
  }

  /** The flags of COMMAND GETKEYSANDFLAGS. */
  public List<String> flags() {
    return List.of(flags.split(" "));
  }

  public boolean reads() {
    return flags.contains("access");
  }

  /** Whether it may need more than the kind, the expiry and the numbers of what the key holds. */
  public boolean readsContent() {
    return this != LOOKS && this != REMOVES;
  }

  public boolean writes() {
    return flags.contains("update") || flags.contains("insert") || flags.contains("delete");
  }

  /**
   * The use of a key in a request.
   *
   * @param i how many of {@link Command#keys} are before it
   */
  public static KeyUse of(Command command, byte[][] request, int i) {
    String uses = command.uses();
    char letter = uses.charAt(Math.min(i, uses.length() - 1));
    return switch (letter) {
      case 'g' -> names(request, 3, GET) ? READS_AND_UPDATES : OVERWRITES;
      case 'c' -> names(request, 2, CHANGES) ? READS_AND_UPDATES : READS;
      default -> of(letter);
    };
  }

  private static KeyUse of(char letter) {
    for (KeyUse each : values()) {
      if (each.letter == letter) {
        return each;
      }
    }
    throw new IllegalArgumentException(String.valueOf(letter));
  }

  /** Whether an argument, from a position on, is one of these. */
  private static boolean names(byte[][] request, int from, Set<String> wanted) {
    for (int i = from; i < request.length; i++) {
      if (wanted.contains(Bytes.lowerCase(request[i]))) {
        return true;
      }
    }
    return false;
  }
}
