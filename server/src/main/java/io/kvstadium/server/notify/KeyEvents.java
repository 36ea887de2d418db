package io.kvstadium.server.notify;

import io.kvstadium.server.database.Changes;
import io.kvstadium.server.database.Changes.Change;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Command;
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
    List<Change> all = new ArrayList<>(changes.all());
    if (call.command().is(Flag.RENAMES)) {
      all.sort(Comparator.comparing(Change::exists)); // the old name first
    }
    for (Change each : all) {
      if (each.wasDue()) {
        events.add(new Event('x', "expired", each));
      }
      if (!each.existed() && each.exists()) {
        events.add(new Event('n', "new", each));
      }
      add(events, call, each);
      addNamed(events, changes, each);
      if (isGone(each) && !isExpiry(call) && !call.command().is(Flag.RENAMES)) {
        events.add(new Event('g', "del", each));
      }
    }
    return events;
  }

  private static boolean isGone(Change change) {
    return change.existed() && !change.exists();
  }

  /** Whether a command sets when a key expires, or removes it if that is over. */
  private static boolean isExpiry(Invocation call) {
    return call.command().event().equals("gexpire");
  }

  private static void addNamed(List<Event> events, Changes changes, Change of) {
    for (String name : changes.named(of)) {
      events.add(new Event(name.charAt(0) == 'h' ? 'h' : 't', name, of));
    }
  }

  /** The notifications of what was removed since it was due, or for want of room. */
  static List<Event> removed(Changes changes) {
    List<Event> events = new ArrayList<>();
    for (Change each : changes.all()) {
      if (!changes.named(each).isEmpty()) { // only fields were due
        addNamed(events, changes, each);
        if (!each.exists()) {
          events.add(new Event('g', "del", each));
        }
      } else if (each.wasDue()) {
        events.add(new Event('x', "expired", each));
      } else {
        events.add(new Event('e', "evicted", each));
      }
    }
    return events;
  }

  private static boolean isFirst(Invocation call, Change change) {
    return Arrays.equals(call.arg(1), change.key().value());
  }

  private static void add(List<Event> events, Invocation call, Change change) {
    String event = call.command().event();
    boolean gone = isGone(change);
    if (isExpiry(call)) {
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
  }

  private static boolean expires(Change change) {
    Long expiry = change.expiry();
    return expiry != null && expiry != StoredValue.FOREVER;
  }

  private static boolean keepsExpiry(Invocation call) {
    for (int i = 3; i < call.size(); i++) {
      if (call.lowerCase(i).equals("keepttl")) {
        return true;
      }
    }
    return false;
  }

  private static List<String> names(Invocation call, Change change) {
    Command command = call.command();
    String[] events = command.event().split("/", 2);
    if (events.length == 1) {
      return events[0].equals("-") ? List.of() : List.of(events[0]);
    }
    boolean first;
    if (command.is(Flag.RENAMES)) {
      first = !change.exists();
    } else if (command.is(Flag.NUMBERED)) {
      first = pops(call, command.first());
    } else if (command.last() == 2) {
      if (Arrays.equals(call.arg(1), call.arg(2))) { // a list, to which is added first
        return List.of(side(call, events[1], 4), side(call, events[0], 3));
      }
      return List.of(isFirst(call, change) ? side(call, events[0], 3) : side(call, events[1], 4));
    } else {
      first = !increments(call);
    }
    return List.of(events[first ? 0 : 1]);
  }

  private static String side(Invocation call, String event, int i) {
    return event.contains("*") ? event.replace("*", call.lowerCase(i).substring(0, 1)) : event;
  }

  private static boolean increments(Invocation call) {
    for (int i = 2; i < call.size() - 2; i++) {
      if (call.lowerCase(i).equals("incr")) {
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
    String end = call.lowerCase(count + 1 + (int) call.integer(count));
    return end.equals("left") || end.equals("min");
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
