package io.kvstadium.server.protocol;

import io.kvstadium.transfer.redis.Decimal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is known of a command before it runs: a line of {@code commands.txt}.
 *
 * @param name in lower case
 * @param arity how many arguments a request has, the name included; negative for a minimum
 * @param flags what it does
 * @param first position of the first key, 0 if there is none at a fixed place
 * @param last of the last key; negative counts from the end
 * @param step from one key to the next
 * @param uses a letter of {@link KeyUse} for each key, the last one for all further keys
 * @param event the class and the name of its keyspace notification, or two with a slash between;
 *     "-" without one of its own
 * @param group of Redis' documentation
 * @param categories the ACL categories that it is in, without the sign
 * @param since the version of Redis that has it
 * @param summary one sentence
 * @param number of the command in its table, from 0
 * @param subcommands its subcommands by the second argument, such as {@code client|id} of {@code
 *     client}; most commands have none
 */
public record Command(
    String name,
    int arity,
    Set<Flag> flags,
    int first,
    int last,
    int step,
    String uses,
    String event,
    String group,
    Set<String> categories,
    String since,
    String summary,
    int number,
    SortedMap<String, Command> subcommands) {

  /** How many arguments follow an option of those that store. */
  private static final Map<String, Integer> OPTIONS =
      Map.of("limit", 2, "by", 1, "get", 1, "count", 1, "store", 1, "storedist", 1);

  /** What a command does; the names are those of COMMAND, except for the last ones. */
  public enum Flag {
    WRITE,
    READONLY,
    /** May add to the databases: not at the size that they are kept below. */
    DENYOOM,
    FAST,
    ADMIN,
    PUBSUB,
    BLOCKING,
    NO_AUTH,
    NO_MULTI,
    NOSCRIPT,
    MOVABLEKEYS,
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
    SNAPSHOT(false),
    /**
     * Reads several entries, which must be from one moment, by their keys, and writes only its
     * reply.
     */
    POINTS(false),
    /** Reads no more of a string than is asked for: its expiry, a part. */
    HEAD(false),
    /** Runs a script, which may take long: never on an event loop. */
    SCRIPT(false),
    /** Is not queued in a MULTI block. */
    AT_ONCE(false),
    /** The number of keys is at {@code first}, followed by the keys. */
    NUMBERED(false),
    /** Writes, and is still allowed when the disk is nearly full. */
    REMOVES(false),
    /** Without options, sets its keys whatever they hold. */
    OVERWRITES(false),
    /** Removes its key, without an event of its own, if there is nothing to store. */
    REPLACES(false),
    /** Does not write, but others may see its effect. */
    SEEN(false),
    /** Is served while a script runs for long. */
    BUSY(false),
    /** May hold passwords. */
    SECRET(false),
    /** May be sent by a subscriber in RESP2. */
    SUBSCRIBER(false),
    /** Executes a MULTI block, and ends it whatever happens. */
    EXECUTES(false),
    /** Makes requests wait, its client's next ones too. */
    PAUSES(false),
    /** Is executed while others wait for the end of a pause. */
    UNPAUSES(false),
    /** Its first argument is a plain table. */
    TABLE(false),
    /** Half of what follows the argument STREAMS are keys. */
    STREAMS(false),
    /** What follows STORE or STOREDIST is a key. */
    STORES(false),
    /** What follows the last STORE is a key. */
    STORES_LAST(false),
    /** What a key held is held by another, or in another database: it is gone without an event. */
    RENAMES(false),
    /** Its first argument is a channel. */
    CHANNEL(false),
    /** Its arguments are channels. */
    CHANNELS(false),
    /** Its arguments are patterns of channels. */
    PATTERNS(false);

    private final boolean shown;

    Flag() {
      this(true);
    }

    Flag(boolean shown) {
      this.shown = shown;
    }

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public boolean is(Flag flag) {
    return flags.contains(flag);
  }

  public boolean fits(int size) {
    return arity < 0 ? size >= -arity : size == arity;
  }

  /** Whether a request with this many arguments sets its keys whatever they hold. */
  public boolean overwrites(int size) {
    return is(Flag.OVERWRITES) && (step > 1 || size == Math.abs(arity));
  }

  /** The flags as COMMAND shows them. */
  public List<String> flagNames() {
    List<String> names = new ArrayList<>();
    flags.stream().filter(flag -> flag.shown).forEach(flag -> names.add(flag.text()));
    return names;
  }

  /** A command of a line of the table, in a section for a group and its ACL category. */
  static Command of(String line, String group, String category, int number) {
    String[] columns = line.split(" +", 10);
    Set<Flag> flags = EnumSet.noneOf(Flag.class);
    Set<String> categories = new LinkedHashSet<>();
    for (String word : columns[2].split(",")) {
      if (word.startsWith("@")) {
        categories.add(word.substring(1));
      } else if (!word.equals("-")) {
        flags.add(Flag.valueOf(word.toUpperCase(Locale.ROOT)));
      }
    }
    if (categories.isEmpty()) {
      categories.add(category);
    }
    categories.remove("-");
    for (Flag each : List.of(Flag.READONLY, Flag.WRITE, Flag.BLOCKING, Flag.PUBSUB, Flag.ADMIN)) {
      boolean isScript = each == Flag.READONLY && flags.contains(Flag.SCRIPT); // in no category
      if (flags.contains(each) && !isScript) {
        categories.add(each == Flag.READONLY ? "read" : each.text());
      }
    }
    if (flags.contains(Flag.ADMIN)) {
      categories.add("dangerous");
    }
    categories.add(flags.contains(Flag.FAST) ? "fast" : "slow");
    return new Command(
        columns[0],
        Integer.parseInt(columns[1]),
        flags,
        Integer.parseInt(columns[3]),
        Integer.parseInt(columns[4]),
        Integer.parseInt(columns[5]),
        columns[6],
        columns[7],
        group,
        categories,
        columns[8],
        columns[9],
        number,
        new TreeMap<>());
  }

  /** The keys in a request; none if it is malformed. */
  public List<byte[]> keyArguments(byte[][] request) {
    return keys(request).stream().map(position -> request[position]).toList();
  }

  /** The positions of keys in a request; none if it is malformed. */
  public List<Integer> keys(byte[][] request) {
    List<Integer> positions = new ArrayList<>();
    if (is(Flag.NUMBERED)) {
      long count = first < request.length ? Decimal.integer(request[first], -1) : -1;
      for (int i = 1; i <= count && first + i < request.length; i++) {
        positions.add(first + i);
      }
      if (last == 1 && request.length > 1) { // a destination before the number
        positions.addFirst(1);
      }
    } else if (first > 0 && !is(Flag.PUBSUB)) { // those are channels
      int end = last < 0 ? request.length + last : Math.min(last, request.length - 1);
      for (int i = first; i <= end; i += step) {
        positions.add(i);
      }
    }
    if (is(Flag.STREAMS)) {
      addStreams(request, positions);
    } else if (is(Flag.STORES) || is(Flag.STORES_LAST)) {
      addTargets(request, positions);
    }
    return positions;
  }

  /** The positions of the keys after STREAMS. */
  private void addStreams(byte[][] request, List<Integer> positions) {
    int at = -arity - 3;
    while (at < request.length && !Bytes.lowerCase(request[at]).equals("streams")) {
      at++;
    }
    int keys = (request.length - at - 1) / 2;
    for (int i = 1; i <= keys; i++) {
      positions.add(at + i);
    }
  }

  /** The positions of the keys to store to. */
  private void addTargets(byte[][] request, List<Integer> positions) {
    int fixed = positions.size();
    for (int i = -arity; i + 1 < request.length; i++) {
      String option = Bytes.lowerCase(request[i]);
      if (option.equals("store") || (option.equals("storedist") && is(Flag.STORES))) {
        if (is(Flag.STORES_LAST) && positions.size() > fixed) {
          positions.removeLast();
        }
        positions.add(i + 1);
      }
      i += OPTIONS.getOrDefault(option, 0);
    }
  }
}
