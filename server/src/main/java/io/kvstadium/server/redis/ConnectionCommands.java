package io.kvstadium.server.redis;

import io.kvstadium.server.redis.Client.Replies;
import io.kvstadium.server.redis.Redis.Connected;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Commands on the connection itself. */
final class ConnectionCommands {
  /** So that no sum overflows. */
  private static final long LONGEST_PAUSE = 1L << 40;

  private ConnectionCommands() {}

  static void register(Commands commands) {
    commands
        .group("connection")
        .add(
            "ping",
            -1,
            "fast local",
            "1.0.0",
            "Answers, or returns its argument.",
            ConnectionCommands::ping)
        .add(
            "echo",
            2,
            "fast local",
            "1.0.0",
            "Returns its argument.",
            call -> call.reply().bulk(call.arg(1)))
        .add(
            "quit",
            -1,
            "fast local no_auth at_once",
            "1.0.0",
            "Ends the connection.",
            ConnectionCommands::quit)
        .add(
            "reset",
            1,
            "write fast no_auth at_once",
            "6.2.0",
            "Makes the connection as it was at its beginning.",
            ConnectionCommands::reset)
        .add(
            "hello",
            -1,
            "fast local no_auth",
            "6.0.0",
            "Chooses the protocol and introduces both sides.",
            ConnectionCommands::hello)
        .add(
            "auth", -2, "fast local no_auth", "1.0.0", "Says who one is.", ConnectionCommands::auth)
        .add(
            "select", 2, "fast local", "1.0.0", "Selects the database.", ConnectionCommands::select)
        .add(
            "client",
            -2,
            "local",
            "2.4.0",
            "Tells of and sets what concerns connections.",
            ConnectionCommands::client);
  }

  private static void ping(Call call) {
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

  private static void quit(Call call) {
    call.reply().ok();
    call.client().closing = true;
  }

  private static void reset(Call call) {
    Client client = call.client();
    client.endMulti();
    client.unwatch();
    client.database = 0;
    client.name = "";
    client.replies = Replies.ALL;
    client.power = false;
    call.redis().channels().leaveAll(client);
    call.redis().monitors().remove(client);
    call.redis().tracking().end(client);
    call.redis().access().forget(client);
    protocol(call, 2);
    call.reply().simple("RESET");
  }

  private static void protocol(Call call, int version) {
    call.client().protocol = version;
    call.reply().protocol(version);
  }

  private static void hello(Call call) {
    int version = call.client().protocol;
    if (call.size() > 1) {
      long given = Numbers.integer(call.arg(1), -1);
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
      String option = call.word(i);
      if (option.equals("auth") && i + 2 < call.size()) {
        authenticate(call, call.text(i + 1), call.arg(i + 2), true);
        i += 2;
      } else if (option.equals("setname") && i + 1 < call.size()) {
        name = checkedName(call.text(++i), "Client names");
      } else {
        throw ReplyException.error("Syntax error in HELLO option '%s'", call.text(i));
      }
    }
    call.redis().access().requireKnown(call.client());
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

  private static void auth(Call call) {
    if (call.size() > 3) {
      throw ReplyException.syntax();
    }
    boolean named = call.size() == 3;
    authenticate(call, named ? call.text(1) : Access.DEFAULT, call.arg(named ? 2 : 1), named);
    call.reply().ok();
  }

  private static void authenticate(Call call, String name, byte[] password, boolean named) {
    try {
      call.redis().access().authenticate(call.client(), name, password, named);
    } catch (ReplyException e) {
      String address = call.client().address();
      call.redis()
          .log()
          .event(
              "login-refused",
              address + " was not let in as user " + name,
              "user",
              name,
              "address",
              address);
      throw e;
    }
  }

  private static void select(Call call) {
    long number = Numbers.integer(call.arg(1), -1);
    if (number < 0 && !call.text(1).startsWith("-")) {
      throw ReplyException.notInteger();
    }
    if (number > Integer.MAX_VALUE || !call.redis().databases().has((int) number)) {
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

  private static void client(Call call) {
    Client own = call.client();
    if (Set.of("kill", "pause", "unpause").contains(call.word(1))) {
      call.redis().access().requireAdministrator(own, "client|" + call.word(1));
    }
    ReplyWriter reply = call.reply();
    switch (call.word(1)) {
      case "id" -> reply.integer(own.id());
      case "getname" -> {
        if (own.name.isEmpty()) {
          reply.nil();
        } else {
          reply.bulk(own.name);
        }
      }
      case "setname" -> {
        own.name = checkedName(argument(call, 2), "Client names");
        reply.ok();
      }
      case "setinfo" -> setinfo(call);
      case "info" -> reply.text(ClientLine.of(call.redis(), own) + "\n");
      case "list" -> list(call);
      case "kill" -> kill(call);
      case "reply" -> replies(call);
      case "no-evict", "no-touch" -> {
        if (!Set.of("on", "off").contains(argument(call, 2).toLowerCase(Locale.ROOT))) {
          throw ReplyException.syntax();
        }
        reply.ok();
      }
      case "pause" -> pause(call);
      case "unpause" -> {
        call.redis().pause().end();
        reply.ok();
      }
      case "unblock" -> unblock(call);
      case "tracking" -> {
        argument(call, 2);
        TrackingCommands.tracking(call);
      }
      case "caching" -> {
        argument(call, 2);
        TrackingCommands.caching(call);
      }
      case "getredir" -> TrackingCommands.redirection(call);
      case "trackinginfo" -> TrackingCommands.information(call);
      default -> Subcommands.other(call);
    }
  }

  private static String argument(Call call, int i) {
    if (call.size() <= i) {
      throw ReplyException.arity("client|" + call.word(1));
    }
    return call.text(i);
  }

  private static void pause(Call call) {
    argument(call, 2);
    long millis = Numbers.integer(call.arg(2), "timeout is not an integer or out of range");
    if (millis < 0) {
      throw ReplyException.error("timeout is negative");
    }
    boolean all = call.size() == 3 || call.word(3).equals("all");
    if (call.size() > 4 || (!all && !call.word(3).equals("write"))) {
      throw ReplyException.error("CLIENT PAUSE mode must be WRITE or ALL");
    }
    call.redis().pause().begin(Math.min(millis, LONGEST_PAUSE), all);
    call.reply().ok();
  }

  private static void setinfo(Call call) {
    String value = argument(call, 3);
    switch (call.word(2)) {
      case "lib-name" -> call.client().libraryName = checkedName(value, "lib-name");
      case "lib-ver" -> call.client().libraryVersion = checkedName(value, "lib-ver");
      default -> throw ReplyException.error("Unrecognized option '%s'", call.text(2));
    }
    call.reply().ok();
  }

  private static void list(Call call) {
    Collection<Connected> all = call.redis().clients().values();
    call.reply()
        .text(
            all.stream()
                .map(Connected::client)
                .sorted(Comparator.comparingLong(Client::id))
                .map(each -> ClientLine.of(call.redis(), each) + "\n")
                .collect(Collectors.joining()));
  }

  private static void kill(Call call) {
    String first = argument(call, 2);
    boolean old = call.size() == 3;
    String filter = old ? "addr" : call.word(2);
    String value = old ? first : argument(call, 3);
    boolean skipMe =
        !old && !(call.size() == 6 && call.word(4).equals("skipme") && call.word(5).equals("no"));
    if (filter.equals("id") && Numbers.integer(Bytes.of(value), 0) <= 0) {
      throw ReplyException.error("client-id should be greater than 0");
    }
    int killed = 0;
    for (Connected each : call.redis().clients().values()) {
      Client other = each.client();
      boolean meant =
          switch (filter) {
            case "addr" -> other.address().equals(value);
            case "laddr" -> other.localAddress().equals(value);
            case "id" -> Long.toString(other.id()).equals(value);
            case "user" -> value.equals(other.user);
            case "type" ->
                !value.toLowerCase(Locale.ROOT).equals("pubsub") || other.subscriptions > 0;
            default -> throw ReplyException.syntax();
          };
      if (meant && !(skipMe && other == call.client())) {
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

  private static void unblock(Call call) {
    long id = Numbers.integer(Bytes.of(argument(call, 2)));
    String how = call.size() > 3 ? call.word(3) : "timeout";
    if (call.size() > 4 || (!how.equals("timeout") && !how.equals("error"))) {
      throw ReplyException.error("CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
    }
    Connected other = call.redis().clients().get(id);
    Waiter waiter = other == null ? null : other.client().waiter;
    boolean ended =
        waiter != null
            && (how.equals("timeout")
                ? waiter.timeout()
                : waiter.end(
                    reply -> reply.error("UNBLOCKED client unblocked via CLIENT UNBLOCK")));
    call.reply().integer(ended ? 1 : 0);
  }

  private static void replies(Call call) {
    argument(call, 2);
    switch (call.word(2)) {
      case "on" -> {
        call.client().replies = Replies.ALL;
        call.reply().ok();
      }
      case "off" -> call.client().replies = Replies.NONE;
      case "skip" -> {
        if (call.client().replies == Replies.ALL) {
          call.client().replies = Replies.SKIP;
        }
      }
      default -> throw ReplyException.syntax();
    }
  }
}
