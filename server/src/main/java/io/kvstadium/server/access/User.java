package io.kvstadium.server.access;

import io.kvstadium.server.access.Denial.Reason;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Command;
import io.kvstadium.server.protocol.Command.Flag;
import io.kvstadium.server.protocol.CommandTable;
import io.kvstadium.server.protocol.Glob;
import io.kvstadium.server.protocol.KeyUse;
import io.kvstadium.server.protocol.ReplyException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A user and its rights, by the rules of Redis' ACL: on, off, nopass, &gt;password, #hash, ~key,
 * %R~key, %W~key, &amp;channel, +command, -command, +@category, allkeys, allchannels, allcommands,
 * reset and so on; and {@code =table} for plain tables. Immutable.
 *
 * @param passwords SHA-256 in lower-case hexadecimal
 * @param commands names of the allowed commands
 * @param rules the rules on commands, for ACL LIST
 */
public record User(
    String name,
    boolean on,
    boolean noPassword,
    Set<String> passwords,
    Set<String> commands,
    List<String> rules,
    List<KeyRule> keys,
    List<Bytes> channels,
    List<Bytes> tables)
    implements Users.Known {
  private static final Bytes ALL = new Bytes(new byte[] {'*'});

  /** Keys that may be read, written or both. */
  public record KeyRule(Bytes pattern, boolean reads, boolean writes) {
    boolean allows(byte[] key, KeyUse use) {
      return (reads || !use.reads()) && (writes || !use.writes()) && matches(pattern, key);
    }

    public String word() {
      return (reads && writes ? "~" : reads ? "%R~" : "%W~") + pattern;
    }
  }

  /** A new user, who may do nothing. */
  static User of(String name) {
    return new User(
        name, false, false, Set.of(), Set.of(), List.of("-@all"), List.of(), List.of(), List.of());
  }

  private static boolean matches(Bytes pattern, byte[] text) {
    return pattern.equals(ALL) || new Glob(pattern.value()).matches(text);
  }

  /** Returns the user after applying a rule. */
  User with(byte[] given, CommandTable all) {
    String rule = Bytes.text(given);
    return switch (rule.toLowerCase(Locale.ROOT)) {
      case "on" -> flags(true, noPassword);
      case "off" -> flags(false, noPassword);
      case "nopass" -> passwords(Set.of()).flags(on, true);
      case "resetpass" -> passwords(Set.of()).flags(on, false);
      case "allkeys" -> with(new byte[] {'~', '*'}, all);
      case "resetkeys" -> keys(List.of());
      case "allchannels" -> with(new byte[] {'&', '*'}, all);
      case "resetchannels" -> channels(List.of());
      case "alltables" -> with(new byte[] {'=', '*'}, all);
      case "resettables" -> tables(List.of());
      case "allcommands" -> with(Bytes.of("+@all"), all);
      case "nocommands" -> with(Bytes.of("-@all"), all);
      case "reset" -> of(name);
      default -> withSign(rule, all);
    };
  }

  /** Returns the user after applying a rule that begins with a sign. */
  private User withSign(String rule, CommandTable all) {
    String rest = rule.isEmpty() ? "" : rule.substring(1);
    return switch (rule.isEmpty() ? ' ' : rule.charAt(0)) {
      case '>' -> passwords(added(passwords, sha256(rest))).flags(on, false);
      case '<' -> without(sha256(rest));
      case '#' -> passwords(added(passwords, hash(rest))).flags(on, false);
      case '!' -> without(hash(rest));
      case '~' -> with(rule, new KeyRule(bytes(rest), true, true));
      case '%' -> with(rule, keyRule(rest));
      case '&' -> channels(more(rule, channels, "channels"));
      case '=' -> tables(more(rule, tables, "tables"));
      case '+', '-' -> commands(rule.toLowerCase(Locale.ROOT), all);
      default -> throw wrong(rule, "Syntax error");
    };
  }

  /** Rules on the same keys add up. */
  private User with(String written, KeyRule rule) {
    KeyRule everything = new KeyRule(ALL, true, true);
    if (rule.equals(everything)) {
      return keys(List.of(rule));
    }
    if (keys.contains(everything)) {
      throw afterAll(written, "keys", "patterns");
    }
    List<KeyRule> changed = new ArrayList<>(keys);
    for (int i = 0; i < changed.size(); i++) {
      KeyRule each = changed.get(i);
      if (each.pattern().equals(rule.pattern())) {
        changed.set(
            i,
            new KeyRule(
                rule.pattern(), each.reads() || rule.reads(), each.writes() || rule.writes()));
        return keys(changed);
      }
    }
    changed.add(rule);
    return keys(changed);
  }

  private static ReplyException wrong(String rule, String why) {
    return ReplyException.error("Error in ACL SETUSER modifier '%s': %s", rule, why);
  }

  private static ReplyException afterAll(String rule, String what, String list) {
    return wrong(
        rule,
        "Adding a pattern after the * pattern (or the 'all%1$s' flag) is not valid and does not have any effect. Try 'reset%1$s' to start with an empty list of %2$s"
            .formatted(what, list));
  }

  private static Bytes bytes(String text) {
    return new Bytes(Bytes.of(text));
  }

  private static KeyRule keyRule(String rest) {
    int at = rest.indexOf('~');
    String kinds = at < 0 ? "" : rest.substring(0, at).toUpperCase(Locale.ROOT);
    if (!Set.of("R", "W", "RW", "WR").contains(kinds)) {
      throw wrong("%" + rest, "Syntax error");
    }
    return new KeyRule(bytes(rest.substring(at + 1)), kinds.contains("R"), kinds.contains("W"));
  }

  private static String hash(String hex) {
    if (!hex.matches("[0-9a-f]{64}")) {
      throw wrong(
          "#" + hex,
          "The password hash must be exactly 64 characters and contain only lowercase hexadecimal characters");
    }
    return hex;
  }

  static String sha256(String password) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(password.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static <T> Set<T> added(Set<T> set, T one) {
    Set<T> copy = new LinkedHashSet<>(set);
    copy.add(one);
    return copy;
  }

  private User without(String password) {
    Set<String> others = new LinkedHashSet<>(passwords);
    if (!others.remove(password)) {
      throw wrong("<", "The password you are trying to remove from the user does not exist");
    }
    return passwords(others);
  }

  private static List<Bytes> more(String rule, List<Bytes> list, String what) {
    Bytes one = bytes(rule.substring(1));
    if (one.equals(ALL)) {
      return List.of(one);
    }
    if (list.contains(ALL)) {
      throw afterAll(rule, what, what);
    }
    List<Bytes> copy = new ArrayList<>(list);
    if (!copy.contains(one)) {
      copy.add(one);
    }
    return copy;
  }

  private User flags(boolean nowOn, boolean without) {
    return new User(name, nowOn, without, passwords, commands, rules, keys, channels, tables);
  }

  private User passwords(Set<String> changed) {
    return new User(name, on, noPassword, changed, commands, rules, keys, channels, tables);
  }

  private User keys(List<KeyRule> changed) {
    return new User(name, on, noPassword, passwords, commands, rules, changed, channels, tables);
  }

  private User channels(List<Bytes> changed) {
    return new User(name, on, noPassword, passwords, commands, rules, keys, changed, tables);
  }

  private User tables(List<Bytes> changed) {
    return new User(name, on, noPassword, passwords, commands, rules, keys, channels, changed);
  }

  private User commands(String rule, CommandTable all) {
    String what = rule.substring(1);
    Set<String> meant = new TreeSet<>();
    for (Command each : all.withSubcommands()) {
      boolean category =
          what.equals("@all")
              || (what.startsWith("@") && each.categories().contains(what.substring(1)));
      if (category || each.name().equals(what) || each.name().startsWith(what + "|")) {
        meant.add(each.name());
      }
    }
    if (rule.startsWith("+") && what.indexOf('|') > 0) {
      Command container = all.named(Bytes.of(what.substring(0, what.indexOf('|'))));
      boolean isContainer = container != null && !container.subcommands().isEmpty();
      boolean isLonger = what.indexOf('|') != what.lastIndexOf('|');
      if (isContainer && isLonger) {
        throw wrong(rule, "Allowing first-arg of a subcommand is not supported");
      }
      if (container != null && !isContainer && !isLonger) {
        meant.add(what); // only with this first argument
      }
    }
    if (meant.isEmpty()) {
      throw wrong(rule, "Unknown command or category name in ACL");
    }
    Set<String> allowed = new HashSet<>(commands);
    if (rule.charAt(0) == '+') {
      allowed.addAll(meant);
    } else {
      allowed.removeAll(meant);
    }
    List<String> written = what.equals("@all") ? new ArrayList<>() : new ArrayList<>(rules);
    written.removeIf(each -> { // what it overrides, as Redis shows it
      String before = each.substring(1);
      return before.equals(what) || before.startsWith(what + "|");
    });
    written.add(rule);
    return new User(name, on, noPassword, passwords, allowed, written, keys, channels, tables);
  }

  /** Whether a password is one of this user's. */
  boolean knows(byte[] password) {
    byte[] given = Bytes.of(sha256(Bytes.text(password)));
    boolean found = noPassword;
    for (String own : passwords) {
      found |= MessageDigest.isEqual(Bytes.of(own), given);
    }
    return on && found;
  }

  /**
   * Makes sure that a request is allowed.
   *
   * @throws Denial if it is not
   */
  public void check(Command command, byte[][] request) {
    if (!command.is(Flag.NO_AUTH) && !mayRun(command, request)) {
      throw new Denial(Reason.COMMAND, command.name());
    }
    if (!keys.contains(ALL_KEYS)) {
      List<Integer> positions = command.keys(request);
      for (int i = 0; i < positions.size(); i++) {
        byte[] key = request[positions.get(i)];
        KeyUse use = KeyUse.of(command, request, i);
        if (keys.stream().noneMatch(rule -> rule.allows(key, use))) {
          throw new Denial(Reason.KEY, Bytes.text(key));
        }
      }
    }
    if (command.is(Flag.PUBSUB) && !channels.contains(ALL)) {
      checkChannels(command, request);
    }
    if (command.is(Flag.TABLE) && request.length > 1 && !allowsTable(request[1])) {
      throw new Denial(Reason.TABLE, Bytes.text(request[1]));
    }
  }

  /** Whether a command is allowed by name, or with its first argument. */
  private boolean mayRun(Command command, byte[][] request) {
    return commands.contains(command.name())
        || (request.length > 1
            && commands.contains(command.name() + "|" + Bytes.lowerCase(request[1])));
  }

  @Override
  public boolean readsAll() {
    return keys.stream().anyMatch(rule -> rule.reads() && rule.pattern().equals(ALL));
  }

  @Override
  public boolean allows(String command, @Nullable String table) {
    return commands.contains(command) && (table == null || allowsTable(Bytes.of(table)));
  }

  private boolean allowsTable(byte[] table) {
    return tables.stream().anyMatch(each -> matches(each, table));
  }

  private static final KeyRule ALL_KEYS = new KeyRule(ALL, true, true);

  private void checkChannels(Command command, byte[][] request) {
    boolean pattern = command.is(Flag.PATTERNS);
    boolean several = pattern || command.is(Flag.CHANNELS);
    int end = several ? request.length : command.is(Flag.CHANNEL) ? 2 : 0;
    for (int i = 1; i < end; i++) {
      if (!allowsChannel(request[i], pattern)) {
        throw new Denial(Reason.CHANNEL, Bytes.text(request[i]));
      }
    }
  }

  /**
   * Whether a channel is allowed, or all that match a pattern: a pattern only if the rules contain
   * it literally, since what it matches is not known.
   */
  public boolean allowsChannel(byte[] name, boolean pattern) {
    return channels.stream()
        .anyMatch(
            own -> own.equals(ALL) || (pattern ? own.equals(new Bytes(name)) : matches(own, name)));
  }

  /** The line in ACL LIST. */
  public String line() {
    List<String> words = new ArrayList<>(List.of("user", name, on ? "on" : "off"));
    if (noPassword) {
      words.add("nopass");
    }
    passwords.forEach(each -> words.add("#" + each));
    keys.forEach(each -> words.add(each.word()));
    if (!channels.contains(ALL)) {
      words.add("resetchannels");
    }
    channels.forEach(each -> words.add("&" + each));
    tables.forEach(each -> words.add("=" + each));
    words.addAll(rules);
    return String.join(" ", words);
  }
}
