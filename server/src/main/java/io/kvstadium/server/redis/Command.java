package io.kvstadium.server.redis;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What is known of a command before it runs.
 *
 * @param name in lower case
 * @param arity how many words a request has, the name included; negative for at least so many
 * @param flags what it does
 * @param first position of the first key, 0 if there is none at a fixed place
 * @param last of the last key; negative counts from the end
 * @param step from one key to the next
 * @param group of Redis' documentation
 * @param since the version of Redis that has it
 * @param summary one sentence
 * @param handler runs it
 */
record Command(
    String name,
    int arity,
    Set<Flag> flags,
    int first,
    int last,
    int step,
    String group,
    String since,
    String summary,
    Handler handler) {

  /** Runs a command. */
  interface Handler {
    /**
     * Answers a request.
     *
     * @throws ReplyException an error reply; what was written so far is taken back
     */
    void run(Call call);
  }

  /** What a command does; the words are those of COMMAND, except for the last ones. */
  enum Flag {
    WRITE,
    READONLY,
    FAST,
    ADMIN,
    PUBSUB,
    BLOCKING,
    NO_AUTH,
    NO_MULTI,
    /** Touches nothing but its connection and the server's memory. */
    LOCAL(false),
    /** May take long: runs by itself, not together with others' requests. */
    LONG(false),
    /** Looks at several entries, which have to be of one moment. */
    WHOLE(false),
    /** Is not put off in a MULTI block. */
    AT_ONCE(false),
    /** The number of keys stands at {@code first}, the keys behind it. */
    NUMBERED(false),
    /** Writes, and goes on when there is no room for more. */
    REMOVES(false),
    /** Without options, sets its keys whatever they hold. */
    OVERWRITES(false);

    private final boolean shown;

    Flag() {
      this(true);
    }

    Flag(boolean shown) {
      this.shown = shown;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  boolean is(Flag flag) {
    return flags.contains(flag);
  }

  boolean fits(int words) {
    return arity < 0 ? words >= -arity : words == arity;
  }

  /** Whether a request of so many words sets its keys whatever they hold. */
  boolean overwrites(int words) {
    return is(Flag.OVERWRITES) && (step > 1 || words == Math.abs(arity));
  }

  /** The flags as COMMAND shows them. */
  List<String> words() {
    List<String> words = new ArrayList<>();
    flags.stream().filter(flag -> flag.shown).forEach(flag -> words.add(flag.word()));
    if (is(Flag.NUMBERED)) {
      words.add("movablekeys");
    }
    return words;
  }

  /** The categories of ACL that it is in, without the sign. */
  Set<String> categories() {
    Set<String> found = new LinkedHashSet<>();
    found.add(
        switch (group) {
          case "sorted-set" -> "sortedset";
          case "generic" -> "keyspace";
          case "transactions" -> "transaction";
          case "server" -> "admin";
          default -> group;
        });
    if (is(Flag.WRITE)) {
      found.add("write");
    }
    if (is(Flag.READONLY)) {
      found.add("read");
    }
    if (is(Flag.BLOCKING)) {
      found.add("blocking");
    }
    found.add(is(Flag.FAST) ? "fast" : "slow");
    if (is(Flag.ADMIN)) {
      found.add("dangerous");
    }
    return found;
  }

  /** The keys in a request; none if it is malformed. */
  List<byte[]> keyWords(byte[][] request) {
    return keys(request).stream().map(position -> request[position]).toList();
  }

  /** The positions of keys in a request; none if it is malformed. */
  List<Integer> keys(byte[][] request) {
    List<Integer> positions = new ArrayList<>();
    if (is(Flag.NUMBERED)) {
      long count = first < request.length ? Numbers.integer(request[first], -1) : -1;
      for (int i = 1; i <= count && first + i < request.length; i++) {
        positions.add(first + i);
      }
      if (last == 1 && request.length > 1) { // a destination before the number
        positions.addFirst(1);
      }
    } else if (first > 0) {
      int end = last < 0 ? request.length + last : Math.min(last, request.length - 1);
      for (int i = first; i <= end; i += step) {
        positions.add(i);
      }
    }
    if (name.equals("sort") || name.startsWith("georadius")) {
      for (int i = 2; i + 1 < request.length; i++) {
        String word = Bytes.word(request[i]);
        if (word.equals("store") || word.equals("storedist")) {
          positions.add(i + 1);
        }
      }
    }
    return positions;
  }
}
