package io.kvstadium.server.command.server;

import io.kvstadium.server.client.Client;
import io.kvstadium.server.client.Client.Replies;
import io.kvstadium.server.client.ClientLine;
import io.kvstadium.server.client.Clients.Connected;
import io.kvstadium.server.command.Call;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.transfer.redis.Decimal;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** CLIENT, but for those that cache what they read. */
final class ClientCommands {
  /** So that no sum overflows. */
  private static final long LONGEST_PAUSE = 1L << 40;

  private ClientCommands() {}

  static void client(Call call) {
    Client own = call.client();
    ReplyWriter reply = call.reply();
    switch (call.lowerCase(1)) {
      case "id" -> reply.integer(own.id());
      case "getname" -> {
        if (own.name.isEmpty()) {
          reply.nil();
        } else {
          reply.bulk(own.name);
        }
      }
      case "setname" -> {
        own.name = ConnectionCommands.checkedName(call.text(2), "Client names");
        reply.ok();
      }
      case "setinfo" -> setinfo(call);
      case "info" -> reply.text(ClientLine.of(own, call.server().clock().millis()) + "\n");
      case "list" -> list(call);
      case "kill" -> kill(call);
      case "reply" -> replies(call);
      case "no-evict", "no-touch" -> {
        if (!Set.of("on", "off").contains(call.lowerCase(2))) {
          throw ReplyException.syntax();
        }
        if (call.lowerCase(1).equals("no-evict")) {
          own.noEvict = call.lowerCase(2).equals("on");
        }
        reply.ok();
      }
      case "pause" -> pause(call);
      case "unpause" -> {
        call.server().clients().pause().end();
        reply.ok();
      }
      case "unblock" -> unblock(call);
      case "tracking" -> TrackingCommands.tracking(call);
      case "caching" -> TrackingCommands.caching(call);
      case "getredir" -> TrackingCommands.redirection(call);
      default -> TrackingCommands.information(call);
    }
  }

  private static void pause(Call call) {
    long millis = Numbers.integer(call.arg(2), "timeout is not an integer or out of range");
    if (millis < 0) {
      throw ReplyException.error("timeout is negative");
    }
    if (call.size() > 4) {
      throw ReplyException.error(
          "unknown subcommand or wrong number of arguments for '%s'. Try CLIENT HELP.",
          call.text(1));
    }
    boolean all = call.size() == 3 || call.lowerCase(3).equals("all");
    if (!all && !call.lowerCase(3).equals("write")) {
      throw ReplyException.error("CLIENT PAUSE mode must be WRITE or ALL");
    }
    call.server().clients().pause().begin(Math.min(millis, LONGEST_PAUSE), all);
    call.reply().ok();
  }

  private static void setinfo(Call call) {
    String value = call.text(3);
    switch (call.lowerCase(2)) {
      case "lib-name" ->
          call.client().libraryName = ConnectionCommands.checkedName(value, "lib-name");
      case "lib-ver" ->
          call.client().libraryVersion = ConnectionCommands.checkedName(value, "lib-ver");
      default -> throw ReplyException.error("Unrecognized option '%s'", call.text(2));
    }
    call.reply().ok();
  }

  private static void list(Call call) {
    Predicate<Client> wanted = _ -> true;
    if (call.size() == 4 && call.lowerCase(2).equals("type")) {
      wanted = ofType(call.text(3));
    } else if (call.size() > 3 && call.lowerCase(2).equals("id")) {
      Set<Long> ids = new HashSet<>();
      for (int i = 3; i < call.size(); i++) {
        ids.add(Numbers.integer(call.arg(i), "Invalid client ID"));
      }
      wanted = each -> ids.contains(each.id());
    } else if (call.size() > 2) {
      throw ReplyException.syntax();
    }
    Collection<Connected> all = call.server().clients().all();
    call.reply()
        .text(
            all.stream()
                .map(Connected::client)
                .filter(wanted)
                .sorted(Comparator.comparingLong(Client::id))
                .map(each -> ClientLine.of(each, call.server().clock().millis()) + "\n")
                .collect(Collectors.joining()));
  }

  private static Predicate<Client> ofType(String type) {
    return switch (type.toLowerCase(Locale.ROOT)) {
      case "normal" -> each -> each.subscriptions == 0;
      case "pubsub" -> each -> each.subscriptions > 0;
      case "master", "replica", "slave" -> _ -> false;
      default -> throw ReplyException.error("Unknown client type '%s'", type);
    };
  }

  private static void kill(Call call) {
    boolean old = call.size() == 3;
    boolean skipMe = !old;
    Predicate<Client> meant = old ? each -> each.address().equals(call.text(2)) : _ -> true;
    for (int i = 2; !old && i < call.size(); i += 2) {
      if (i + 1 == call.size()) {
        throw ReplyException.syntax();
      }
      if (call.lowerCase(i).equals("skipme")) {
        skipMe = call.lowerCase(i + 1).equals("yes");
        if (!skipMe && !call.lowerCase(i + 1).equals("no")) {
          throw ReplyException.syntax();
        }
      } else {
        meant = meant.and(filter(call, i));
      }
    }
    int killed = 0;
    for (Connected each : call.server().clients().all()) {
      Client other = each.client();
      if (meant.test(other) && !(skipMe && other == call.client())) {
        killed++;
        if (other == call.client()) {
          other.closing = true;
        } else {
          each.close().run();
        }
      }
    }
    if (old && killed == 0) {
      throw ReplyException.error("No such client");
    }
    if (old) {
      call.reply().ok();
    } else {
      call.reply().integer(killed);
    }
  }

  /** A filter of CLIENT KILL, with its value. */
  private static Predicate<Client> filter(Call call, int i) {
    String value = call.text(i + 1);
    return switch (call.lowerCase(i)) {
      case "addr" -> each -> each.address().equals(value);
      case "laddr" -> each -> each.localAddress().equals(value);
      case "type" -> ofType(value);
      case "id" -> {
        long id = Decimal.integer(call.arg(i + 1), 0);
        if (id <= 0) {
          throw ReplyException.error("client-id should be greater than 0");
        }
        yield each -> each.id() == id;
      }
      case "user" -> {
        if (!call.server().access().users().containsKey(value)) {
          throw ReplyException.error("No such user '%s'", value);
        }
        yield each -> value.equals(each.user);
      }
      default -> throw ReplyException.syntax();
    };
  }

  private static void unblock(Call call) {
    long id = call.integer(2);
    String how = call.size() > 3 ? call.lowerCase(3) : "timeout";
    if (call.size() > 4 || (!how.equals("timeout") && !how.equals("error"))) {
      throw ReplyException.error("CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
    }
    Connected other = call.server().clients().get(id);
    Client.Blocked blocked = other == null ? null : other.client().blocked;
    boolean ended =
        blocked != null
            && (how.equals("timeout")
                ? blocked.timeout()
                : blocked.end(
                    reply -> reply.error("UNBLOCKED client unblocked via CLIENT UNBLOCK")));
    call.reply().integer(ended ? 1 : 0);
  }

  private static void replies(Call call) {
    switch (call.lowerCase(2)) {
      case "on" -> {
        call.client().replies = Replies.ALL;
        call.reply().ok();
      }
      case "off" -> call.client().replies = Replies.NONE;
      case "skip" -> {
        if (call.client().replies != Replies.NONE) {
          call.client().replies = Replies.SKIP;
        }
      }
      default -> throw ReplyException.syntax();
    }
  }
}
