package io.kvstadium.server.redis;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What is known of a command before it runs.
 *
 * @param name in lower case
 * @param arity how many words a request has, the name included; negative for a minimum
 * @param flags what it does
 * @param first position of the first key, 0 if there is none at a fixed place
 * @param last of the last key; negative counts from the end
 * @param step from one key to the next
 * @param group of Redis' documentation
 * @param since the version of Redis that has it
 * @param summary one sentence
 * @param handler runs it
 * @param subcommands its subcommands by the second word, such as {@code client|id} of {@code
 *     client}; most commands have none
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
    Handler handler,
    Map<String, Command> subcommands) {

  /** ACL categories that follow neither from flags nor from the group. */
  private static final Map<String, String> CATEGORIES = new HashMap<>();

  static {
    categories("set sortedset list dangerous", "sort sort_ro");
    categories("keyspace dangerous", "flushall flushdb keys migrate restore restore-asking swapdb");
    categories("tables dangerous", "kv.drop");
    categories("dangerous", "info");
    categories("admin dangerous", "lastsave role");
    categories("connection", "command readonly readwrite wait");
    categories("", "pubsub|help");
  }

  private static void categories(String categories, String names) {
    for (String name : names.split(" ")) {
      CATEGORIES.put(name, categories);
    }
  }

  /** Commands that may store to, or read, keys named in their options. */
  private static final Set<String> MOVABLE =
      Set.of("sort", "sort_ro", "georadius", "georadiusbymember", "xread", "xreadgroup");

  /** How many words follow an option of SORT. */
  private static final Map<String, Integer> SORT_OPTIONS =
      Map.of("limit", 2, "by", 1, "get", 1, "store", 1);

  /** How many words follow an option of GEORADIUS and similar commands. */
  private static final Map<String, Integer> RADIUS_OPTIONS =
      Map.of("count", 1, "store", 1, "storedist", 1);

  /** Runs a command. */
  interface Handler {
    /**
     * Answers a request.
     *
     * @throws ReplyException an error reply; what was written so far is undone
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
    NOSCRIPT,
    /** Touches nothing but its connection and the server's memory. */
    LOCAL(false),
    /** Is not supported, and says so. */
    REFUSED(false),
    /** Needs the turn to write, though it changes no data itself. */
    TURN(false),
    /** May take long: runs on its own, not together with other requests. */
    LONG(false),
    /** Answers with messages, which are sent even to clients that want no replies. */
    PUSHES(false),
    /** Reads several entries, which must be from one moment. */
    WHOLE(false),
    /** Runs a script, which may take long: never on an event loop. */
    SCRIPT(false),
    /** Is not queued in a MULTI block. */
    AT_ONCE(false),
    /** The number of keys is at {@code first}, followed by the keys. */
    NUMBERED(false),
    /** Writes, and is still allowed when the disk is nearly full. */
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

  /** Whether a request with this many words sets its keys whatever they hold. */
  boolean overwrites(int words) {
    return is(Flag.OVERWRITES) && (step > 1 || words == Math.abs(arity));
  }

  /** The flags as COMMAND shows them. */
  List<String> words() {
    List<String> words = new ArrayList<>();
    flags.stream().filter(flag -> flag.shown).forEach(flag -> words.add(flag.word()));
    if (is(Flag.NUMBERED) || MOVABLE.contains(name)) {
      words.add("movablekeys");
    }
    return words;
  }

  /** The flags for some words in lower case. */
  static Set<Flag> flags(String... words) {
    Set<Flag> flags = EnumSet.noneOf(Flag.class);
    for (String word : words) {
      flags.add(Flag.valueOf(word.toUpperCase(Locale.ROOT)));
    }
    return flags;
  }

  /** The ACL categories that it is in, without the sign. */
  Set<String> categories() {
    Set<String> found = new LinkedHashSet<>();
    String own = CATEGORIES.get(name);
    if (own == null && subcommands.isEmpty()) {
      own = CATEGORIES.getOrDefault(name.replaceFirst("\\|.*", ""), ofGroup());
    }
    if (own != null && !own.isEmpty()) {
      found.addAll(List.of(own.split(" ")));
    }
    for (Flag each : List.of(Flag.READONLY, Flag.WRITE, Flag.BLOCKING, Flag.PUBSUB, Flag.ADMIN)) {
      boolean isScript = each == Flag.READONLY && is(Flag.SCRIPT); // in no category
      if (is(each) && !isScript) {
        found.add(each == Flag.READONLY ? "read" : each.word());
      }
    }
    if (is(Flag.ADMIN)) {
      found.add("dangerous");
    }
    found.add(is(Flag.FAST) ? "fast" : "slow");
    return found;
  }

  private String ofGroup() {
    return switch (group) {
      case "sorted-set" -> "sortedset";
      case "generic" -> "keyspace";
      case "transactions" -> "transaction";
      case "server", "cluster" -> "";
      default -> group;
    };
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
    positions.addAll(targets(request));
    if (name.startsWith("xread")) {
      addStreams(request, positions);
    }
    return positions;
  }

  /** The positions of the keys of XREAD and XREADGROUP: half of what follows STREAMS. */
  private void addStreams(byte[][] request, List<Integer> positions) {
    int at = name.equals("xread") ? 1 : 4;
    while (at < request.length && !Bytes.word(request[at]).equals("streams")) {
      at++;
    }
    int keys = (request.length - at - 1) / 2;
    for (int i = 1; i <= keys; i++) {
      positions.add(at + i);
    }
  }

  /** The positions of the keys that SORT and GEORADIUS store to. */
  private List<Integer> targets(byte[][] request) {
    int begin =
        switch (name) {
          case "sort" -> 2;
          case "georadiusbymember" -> 5;
          case "georadius" -> 6;
          default -> request.length;
        };
    Map<String, Integer> options = begin == 2 ? SORT_OPTIONS : RADIUS_OPTIONS;
    List<Integer> found = new ArrayList<>();
    for (int i = begin; i + 1 < request.length; i++) {
      String word = Bytes.word(request[i]);
      if (word.startsWith("store") && options.containsKey(word)) {
        found.add(i + 1);
      }
      i += options.getOrDefault(word, 0);
    }
    return begin == 2 && found.size() > 1 ? List.of(found.getLast()) : found; // as in SORT
  }
}
