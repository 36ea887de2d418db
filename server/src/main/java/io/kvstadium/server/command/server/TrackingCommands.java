package io.kvstadium.server.command.server;

import io.kvstadium.server.client.Client;
import io.kvstadium.server.client.Client.Tracked;
import io.kvstadium.server.command.Call;
import io.kvstadium.server.notify.Tracking;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of CLIENT for clients that cache what they read. */
public final class TrackingCommands {
  private static final String ANEW =
      " before disabling tracking for this client, and then re-enabling it with a different mode.";

  private TrackingCommands() {}

  /** CLIENT TRACKING. */
  static void tracking(Call call) {
    long redirect = 0;
    boolean broadcast = false;
    boolean optIn = false;
    boolean optOut = false;
    boolean noLoop = false;
    List<byte[]> prefixes = new ArrayList<>();
    for (int i = 3; i < call.size(); i++) {
      boolean more = i + 1 < call.size();
      String option = call.lowerCase(i);
      if (option.equals("redirect") && more) {
        if (redirect != 0) {
          throw ReplyException.error("A client can only redirect to a single other client");
        }
        redirect = call.integer(++i);
        if (call.server().clients().get(redirect) == null) {
          throw ReplyException.error("The client ID you want redirect to does not exist");
        }
      } else if (option.equals("prefix") && more) {
        prefixes.add(call.arg(++i));
      } else {
        switch (option) {
          case "bcast" -> broadcast = true;
          case "optin" -> optIn = true;
          case "optout" -> optOut = true;
          case "noloop" -> noLoop = true;
          default -> throw ReplyException.syntax();
        }
      }
    }
    Client client = call.client();
    switch (call.lowerCase(2)) {
      case "on" -> {
        Tracked how = new Tracked(redirect, broadcast, optIn, optOut, noLoop, false, prefixes);
        check(how, client.tracked);
        call.server().listeners().tracking().begin(client, merged(how, client.tracked));
      }
      case "off" -> call.server().listeners().tracking().end(client);
      default -> throw ReplyException.syntax();
    }
    call.reply().ok();
  }

  private static void check(Tracked how, @Nullable Tracked before) {
    if (!how.broadcast() && !how.prefixes().isEmpty()) {
      throw ReplyException.error("PREFIX option requires BCAST mode to be enabled");
    }
    if (before != null && before.broadcast() != how.broadcast()) {
      throw ReplyException.error("You can't switch BCAST mode on/off" + ANEW);
    }
    if (how.broadcast() && (how.optIn() || how.optOut())) {
      throw ReplyException.error("OPTIN and OPTOUT are not compatible with BCAST");
    }
    if (how.optIn() && how.optOut()) {
      throw ReplyException.error("You can't specify both OPTIN mode and OPTOUT mode");
    }
    if (before != null && ((how.optIn() && before.optOut()) || (how.optOut() && before.optIn()))) {
      throw ReplyException.error("You can't switch OPTIN/OPTOUT mode" + ANEW);
    }
    List<byte[]> given = how.prefixes();
    for (int i = 0; i < given.size(); i++) {
      apart(given.get(i), Tracked.prefixesOf(before), "an existing");
      apart(given.get(i), given.subList(i + 1, given.size()), "another provided");
    }
  }

  private static void apart(byte[] prefix, List<byte[]> others, String which) {
    for (byte[] other : others) {
      if (Tracking.overlap(prefix, other)) {
        throw ReplyException.error(
            "Prefix '%s' overlaps with %s prefix '%s'. Prefixes for a single client must not"
                + " overlap.",
            Bytes.text(prefix), which, Bytes.text(other));
      }
    }
  }

  /** Prefixes add up. */
  private static Tracked merged(Tracked how, @Nullable Tracked before) {
    List<byte[]> prefixes = new ArrayList<>(Tracked.prefixesOf(before));
    prefixes.addAll(how.prefixes());
    if (how.broadcast()
        && how.prefixes().isEmpty()
        && prefixes.stream().noneMatch(each -> each.length == 0)) {
      prefixes.add(new byte[0]); // all keys begin with it
    }
    prefixes.sort(Arrays::compareUnsigned);
    return new Tracked(
        how.redirect(),
        how.broadcast(),
        how.optIn(),
        how.optOut(),
        how.noLoop(),
        false,
        List.copyOf(prefixes));
  }

  /** CLIENT CACHING. */
  static void caching(Call call) {
    Tracked how = call.client().tracked;
    if (how == null) {
      throw ReplyException.error(
          "CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or"
              + " OPTOUT mode enabled");
    }
    switch (call.lowerCase(2)) {
      case "yes" -> {
        if (!how.optIn()) {
          throw ReplyException.error(
              "CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.");
        }
        call.client().caching = true;
      }
      case "no" -> {
        if (!how.optOut()) {
          throw ReplyException.error(
              "CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.");
        }
        call.client().caching = false;
      }
      default -> throw ReplyException.syntax();
    }
    call.reply().ok();
  }

  /** CLIENT GETREDIR. */
  static void redirection(Call call) {
    Tracked how = call.client().tracked;
    call.reply().integer(how == null ? -1 : how.redirect());
  }

  /** CLIENT TRACKINGINFO. */
  static void information(Call call) {
    Tracked how = call.client().tracked;
    Boolean caching = call.client().caching;
    List<String> flags = new ArrayList<>();
    if (how == null) {
      flags.add("off");
    } else {
      flags.add("on");
      add(flags, how.broadcast(), "bcast");
      add(flags, how.optIn(), "optin");
      add(flags, how.optIn() && Boolean.TRUE.equals(caching), "caching-yes");
      add(flags, how.optOut(), "optout");
      add(flags, how.optOut() && Boolean.FALSE.equals(caching), "caching-no");
      add(flags, how.noLoop(), "noloop");
      add(flags, how.isBroken(), "broken_redirect");
    }
    ReplyWriter reply = call.reply();
    reply.map(3);
    reply.bulk("flags");
    reply.set(flags.size());
    flags.forEach(reply::bulk);
    reply.bulk("redirect");
    reply.integer(how == null ? -1 : how.redirect());
    reply.bulk("prefixes");
    List<byte[]> prefixes = Tracked.prefixesOf(how);
    reply.array(prefixes.size());
    prefixes.forEach(reply::bulk);
  }

  private static void add(List<String> flags, boolean set, String flag) {
    if (set) {
      flags.add(flag);
    }
  }
}
