package io.kvstadium.server.notify;

import io.kvstadium.server.database.Changes;
import io.kvstadium.server.database.Changes.Change;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Command.Flag;
import io.kvstadium.server.protocol.CommandTable;
import io.kvstadium.server.protocol.Invocation;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The keyspace notifications for the keys that a request has changed, in Redis' words. */
public final class KeyEvents {
  /**
   * A notification.
   *
   * @param type the letter of its class
   */
  record Event(char type, String name, Change of) {}

  private KeyEvents() {}

  /** The notifications of a request, in the order in which Redis sends them. */
  static List<Event> of(Invocation call, Changes changes) {
    List<Event> events = new ArrayList<>();
    for (Change each : ordered(call, changes)) {
      if (each.wasDue()) {
        events.add(new Event('x', "expired", each));
      }
      if (!each.existed() && each.exists()) {
        events.add(new Event('n', "new", each));
      }
      add(events, call, each);
      changes.named(each).forEach(name -> events.add(new Event('t', name, each)));
    }
    return events;
  }

  /** The notifications of what was removed since it was due, or for want of room. */
  static List<Event> removed(Changes changes) {
    return changes.all().stream()
        .map(each ->
            each.wasDue() ? new Event('x', "expired", each) : new Event('e', "evicted", each))
        .toList();
  }

  /** Of two keys, the one in the first argument comes first; in a move of elements, last. */
  private static List<Change> ordered(Invocation call, Changes changes) {
    List<Change> all = new ArrayList<>(changes.all());
    switch (call.command().name()) {
      case "lmove", "rpoplpush", "blmove", "brpoplpush" ->
          all.sort(Comparator.comparing(each -> isFirst(call, each)));
      case "rename", "renamenx", "smove" ->
          all.sort(Comparator.comparing(each -> !isFirst(call, each)));
      case "move" -> all.sort(Comparator.comparing(Change::exists)); // gone from one first
      default -> {}
    }
    return all;
  }

  private static boolean isFirst(Invocation call, Change change) {
    return Arrays.equals(call.arg(1), change.key().value());
  }

  private static void add(List<Event> events, Invocation call, Change change) {
    String event = call.command().event();
    boolean gone = change.existed() && !change.exists();
    if (event.equals("gexpire")) { // the key is set to expire, or gone
      boolean lasts = change.expiry() != null && change.expiry() == StoredValue.FOREVER;
      events.add(new Event('g', gone ? "del" : lasts ? "persist" : "expire", change));
      return;
    }
    boolean replaces = !gone || !call.command().is(Flag.REPLACES);
    for (String name : replaces ? names(call, change) : List.<String>of()) {
      events.add(new Event(name.charAt(0), name.substring(1), change));
    }
    if (event.equals("$set") && change.exists() && expires(change) && !keepsExpiry(call)) {
      events.add(new Event('g', "expire", change));
    }
    String command = call.command().name();
    if (gone && !command.startsWith("rename") && !command.equals("move")) {
      events.add(new Event('g', "del", change));
    }
  }

  private static boolean expires(Change change) {
    Long expiry = change.expiry();
    return expiry != null && expiry != StoredValue.FOREVER;
  }

  private static boolean keepsExpiry(Invocation call) {
    for (int i = 3; i < call.size(); i++) {
      if (call.word(i).equals("keepttl")) {
        return true;
      }
    }
    return false;
  }

  private static List<String> names(Invocation call, Change change) {
    String event = call.command().event();
    return switch (call.command().name()) {
      case "rename", "renamenx" -> List.of(isFirst(call, change) ? "grename_from" : "grename_to");
      case "move" -> List.of(change.exists() ? "gmove_to" : "gmove_from");
      case "smove" -> List.of(isFirst(call, change) ? "ssrem" : "ssadd");
      case "zadd" -> List.of(increments(call) ? "zzincr" : "zzadd");
      case "lmpop" -> List.of(pops(call, 1) ? "llpop" : "lrpop");
      case "blmpop" -> List.of(pops(call, 2) ? "llpop" : "lrpop");
      case "zmpop" -> List.of(pops(call, 1) ? "zzpopmin" : "zzpopmax");
      case "bzmpop" -> List.of(pops(call, 2) ? "zzpopmin" : "zzpopmax");
      case "rpoplpush", "brpoplpush" -> moves(call, change, "rpop", "lpush");
      case "lmove", "blmove" -> moves(call, change, side(call, 3) + "pop", side(call, 4) + "push");
      default -> event.equals("-") ? List.of() : List.of(event);
    };
  }

  /** The events of a move; within one list, both. */
  private static List<String> moves(Invocation call, Change change, String pop, String push) {
    if (Arrays.equals(call.arg(1), call.arg(2))) {
      return List.of("l" + push, "l" + pop);
    }
    return List.of("l" + (isFirst(call, change) ? pop : push));
  }

  private static String side(Invocation call, int i) {
    return call.word(i).substring(0, 1);
  }

  private static boolean increments(Invocation call) {
    for (int i = 2; i < call.size() - 2; i++) {
      if (call.word(i).equals("incr")) {
        return true;
      }
      if (Numbers.isReal(call.arg(i))) {
        return false; // the options end here
      }
    }
    return false;
  }

  /** Whether a command with this many arguments before its keys takes from the lower end. */
  private static boolean pops(Invocation call, int count) {
    String word = call.word(count + 1 + (int) call.integer(count));
    return word.equals("left") || word.equals("min");
  }

  /** The letters of a setting, in Redis' order; an error if one is unknown. */
  public static String flags(byte[] given) {
    StringBuilder flags = new StringBuilder();
    String text = Bytes.text(given);
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == 'm') {
        throw ReplyException.error(
            "CONFIG SET failed (possibly related to argument 'notify-keyspace-events') - reads that"
                + " find nothing are not reported: %s",
            CommandTable.PAGE);
      }
      if ("Ag$lshzxetdKEn".indexOf(each) < 0) {
        throw ReplyException.error(
            "CONFIG SET failed (possibly related to argument 'notify-keyspace-events') - Invalid"
                + " event class character. Use 'Ag$lshzxeKEtmdn'.");
      }
    }
    boolean all =
        text.indexOf('A') >= 0 || "g$lshzxetd".chars().allMatch(c -> text.indexOf(c) >= 0);
    String known = all ? "AnKE" : "g$lshzxetdnKE";
    for (int i = 0; i < known.length(); i++) {
      char each = known.charAt(i);
      if (text.indexOf(each) >= 0 || each == 'A') {
        flags.append(each);
      }
    }
    return flags.toString();
  }

  /** Whether a setting asks for events of a class. */
  static boolean wanted(String flags, char type) {
    return flags.indexOf(type) >= 0 || (type != 'n' && flags.indexOf('A') >= 0);
  }

  /** The name of a channel of notifications. */
  static byte[] channel(String kind, int database, byte[] name) {
    byte[] head = Bytes.of("__" + kind + "@" + database + "__:");
    byte[] channel = Arrays.copyOf(head, head.length + name.length);
    System.arraycopy(name, 0, channel, head.length, name.length);
    return channel;
  }
}
