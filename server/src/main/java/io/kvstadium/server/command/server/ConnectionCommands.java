package io.kvstadium.server.command.server;

import io.kvstadium.server.access.Access;
import io.kvstadium.server.access.Users;
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

/** Commands on the connection itself. */
public final class ConnectionCommands {
  /** So that no sum overflows. */
  private static final long LONGEST_PAUSE = 1L << 40;

  private ConnectionCommands() {}

  public static void ping(Call call) {
    if (call.size() > 2) {
      throw ReplyException.arity("ping");
    }
    if (call.client().subscriptions > 0 && !call.reply().isResp3()) {
      call.reply().array(2);
      call.reply().bulk("pong");
      call.reply().bulk(call.size() == 2 ? call.arg(1) : new byte[0]);
    } else if (call.size() == 2) {
      call.reply().bulk(call.arg(1));
    } else {
      call.reply().simple("PONG");
    }
  }

  public static void quit(Call call) {
    call.reply().ok();
    call.client().closing = true;
  }

  public static void reset(Call call) {
    Client client = call.client();
    client.endMulti();
    client.unwatch();
    client.database = 0;
    client.name = "";
    client.replies = Replies.ALL;
    client.needsSync = false;
    call.server().listeners().leave(client);
    call.server().access().forget(client);
    protocol(call, 2);
    call.reply().simple("RESET");
  }

  private static void protocol(Call call, int version) {
    call.client().protocol = version;
    call.reply().protocol(version);
  }

  public static void hello(Call call) {
    int version = call.client().protocol;
    if (call.size() > 1) {
      long given = Decimal.integer(call.arg(1), -1);
      if (given < 0) {
        throw ReplyException.error("Protocol version is not an integer or out of range");
      }
      if (given != 2 && given != 3) {
        throw new ReplyException("NOPROTO unsupported protocol version");
      }
      version = (int) given;
    }
    String name = null;
    for (int i = 2; i < call.size(); i++) {
      String option = call.lowerCase(i);
      if (option.equals("auth") && i + 2 < call.size()) {
        authenticate(call, call.text(i + 1), call.arg(i + 2), true);
        i += 2;
      } else if (option.equals("setname") && i + 1 < call.size()) {
        name = checkedName(call.text(++i), "Client names");
      } else {
        throw ReplyException.error("Syntax error in HELLO option '%s'", call.text(i));
      }
    }
    call.server().access().requireKnown(call.client());
    if (name != null) {
      call.client().name = name;
    }
    protocol(call, version);
    ReplyWriter reply = call.reply();
    reply.map(7);
    reply.bulk("server");
    reply.bulk("redis");
    reply.bulk("version");
    reply.bulk(ServerInfo.REDIS_VERSION);
    reply.bulk("proto");
    reply.integer(version);
    reply.bulk("id");
    reply.integer(call.client().id());
    reply.bulk("mode");
    reply.bulk("standalone");
    reply.bulk("role");
    reply.bulk("master");
    reply.bulk("modules");
    reply.array(0);
  }

  public static void auth(Call call) {
    if (call.size() > 3) {
      throw ReplyException.syntax();
    }
    boolean named = call.size() == 3;
    authenticate(call, named ? call.text(1) : Access.DEFAULT, call.arg(named ? 2 : 1), named);
    call.reply().ok();
  }

  private static void authenticate(Call call, String name, byte[] password, boolean named) {
    try {
      call.server().access().authenticate(call.client(), name, password, named);
    } catch (ReplyException e) {
      Client client = call.client();
      call.server()
          .access()
          .log()
          .add(
              "auth",
              client.inMulti() ? "multi" : "toplevel",
              "AUTH",
              name,
              ClientLine.of(client, call.server().clock().millis()));
      Users.refused(call.server().log(), client.address(), name);
      throw e;
    }
  }

  public static void select(Call call) {
    long number = Decimal.integer(call.arg(1), -1);
    if (number < 0 && !call.text(1).startsWith("-")) {
      throw ReplyException.notInteger();
    }
    if (number > Integer.MAX_VALUE || !call.server().databases().has((int) number)) {
      throw ReplyException.error("DB index is out of range");
    }
    call.client().database = (int) number;
    call.reply().ok();
  }

  /** A name without spaces and control characters. */
  private static String checkedName(String name, String what) {
    if (name.chars().anyMatch(c -> c < '!' || c > '~')) {
      throw ReplyException.error("%s cannot contain spaces, newlines or special characters.", what);
    }
    return name;
  }

  public static void client(Call call) {
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
        own.name = checkedName(call.text(2), "Client names");
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
      case "lib-name" -> call.client().libraryName = checkedName(value, "lib-name");
      case "lib-ver" -> call.client().libraryVersion = checkedName(value, "lib-ver");
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
