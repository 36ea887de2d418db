package io.kvstadium.server.command.server;

import io.kvstadium.server.access.Access;
import io.kvstadium.server.access.AccessLog;
import io.kvstadium.server.access.Denial;
import io.kvstadium.server.access.User;
import io.kvstadium.server.client.Client;
import io.kvstadium.server.client.Clients.Connected;
import io.kvstadium.server.command.Call;
import io.kvstadium.server.command.ServerContext;
import io.kvstadium.server.notify.Channels;
import io.kvstadium.server.protocol.Command;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.transfer.redis.Decimal;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Users and what they may do. */
public final class AccessCommands {
  private AccessCommands() {}

  public static void acl(Call call) {
    Access access = call.server().access();
    ReplyWriter reply = call.reply();
    switch (call.lowerCase(1)) {
      case "whoami" -> {
        String user = call.client().user;
        reply.bulk(user == null ? Access.DEFAULT : user);
      }
      case "users" -> texts(reply, List.copyOf(access.users().keySet()));
      case "list" -> texts(reply, access.users().values().stream().map(User::line).toList());
      case "setuser" -> {
        access.set(call.text(2), List.of(call.request()).subList(3, call.size()));
        call.server()
            .log()
            .event(
                "user-changed",
                "user " + call.text(2) + " was changed by " + call.client().user,
                "user",
                call.text(2),
                "by",
                String.valueOf(call.client().user),
                "address",
                call.client().address());
        closeThoseWhoListenToMore(call, call.text(2));
        reply.ok();
      }
      case "deluser" -> {
        int removed = 0;
        for (int i = 2; i < call.size(); i++) {
          String name = call.text(i);
          if (access.remove(name)) {
            removed++;
            call.server().clients().all().stream()
                .filter(each -> name.equals(each.client().user))
                .forEach(each -> close(call, each));
          }
        }
        reply.integer(removed);
      }
      case "getuser" -> getuser(call);
      case "cat" -> cat(call);
      case "dryrun" -> dryrun(call);
      case "genpass" -> genpass(call);
      case "log" -> log(call);
      case "save", "load" ->
          throw ReplyException.error(
              "This Redis instance is not configured to use an ACL file: users are set in the"
                  + " server's own file, see docs/server.md");
      default -> throw new IllegalStateException(call.command().name());
    }
  }

  /** Ends connections of a user that listen to channels which are no longer allowed. */
  private static void closeThoseWhoListenToMore(Call call, String name) {
    ServerContext server = call.server();
    User user = server.access().users().get(name);
    for (Connected each : server.clients().all()) {
      Client client = each.client();
      if (user != null && client.subscriptions > 0 && name.equals(client.user)) {
        for (Channels.Kind kind : Channels.Kind.values()) {
          boolean pattern = kind == Channels.Kind.PATTERN;
          if (!server.listeners().channels().of(client, kind).stream()
              .allMatch(channel -> user.allowsChannel(channel, pattern))) {
            close(call, each);
          }
        }
      }
    }
  }

  /** Ends a connection; the call's own one only after its reply. */
  private static void close(Call call, Connected which) {
    if (which.client() == call.client()) {
      which.client().closing = true;
    } else {
      which.close().run();
    }
  }

  private static void texts(ReplyWriter reply, List<String> texts) {
    reply.array(texts.size());
    texts.forEach(reply::bulk);
  }

  private static void getuser(Call call) {
    User user = call.server().access().users().get(call.text(2));
    ReplyWriter reply = call.reply();
    if (user == null) {
      reply.nil();
      return;
    }
    reply.map(6);
    reply.bulk("flags");
    List<String> flags = user.noPassword() ? List.of("nopass") : List.of();
    reply.set(1 + flags.size());
    reply.bulk(user.on() ? "on" : "off");
    flags.forEach(reply::bulk);
    reply.bulk("passwords");
    texts(reply, List.copyOf(user.passwords()));
    reply.bulk("commands");
    reply.bulk(String.join(" ", user.rules()));
    reply.bulk("keys");
    reply.bulk(String.join(" ", user.keys().stream().map(User.KeyRule::word).toList()));
    reply.bulk("channels");
    reply.bulk(String.join(" ", user.channels().stream().map(each -> "&" + each).toList()));
    reply.bulk("selectors");
    reply.array(0);
  }

  private static void dryrun(Call call) {
    User user = call.server().access().users().get(call.text(2));
    if (user == null) {
      throw ReplyException.error("User '%s' not found", call.text(2));
    }
    byte[][] request = Arrays.copyOfRange(call.request(), 3, call.size());
    Command command = call.server().commands().of(request);
    if (command == null || (!command.subcommands().isEmpty() && request.length > 1)) {
      throw ReplyException.error("Command '%s' not found", call.text(3));
    }
    if (!command.fits(request.length)) {
      throw ReplyException.arity(command.name());
    }
    try {
      user.check(command, request);
      call.reply().ok();
    } catch (Denial denial) {
      call.reply().bulk(denial.shown());
    }
  }

  private static void genpass(Call call) {
    long bits = call.size() > 2 ? Decimal.integer(call.arg(2), 0) : 256;
    if (call.size() > 3) {
      throw other(call);
    }
    if (bits < 1 || bits > 4096) {
      throw ReplyException.error(
          "ACL GENPASS argument must be the number of bits for the output password, a positive"
              + " number up to 4096");
    }
    byte[] random = new byte[(int) (bits + 7) / 8];
    new SecureRandom().nextBytes(random);
    call.reply().bulk(HexFormat.of().formatHex(random).substring(0, (int) (bits + 3) / 4));
  }

  /** The error for too many arguments. */
  private static ReplyException other(Call call) {
    return ReplyException.error(
        "unknown subcommand or wrong number of arguments for '%s'. Try ACL HELP.", call.text(1));
  }

  private static void log(Call call) {
    AccessLog log = call.server().access().log();
    ReplyWriter reply = call.reply();
    if (call.size() > 3) {
      throw other(call);
    }
    if (call.size() == 3 && call.lowerCase(2).equals("reset")) {
      log.clear();
      reply.ok();
      return;
    }
    long count = call.size() == 3 ? Math.max(0, call.integer(2)) : 10;
    List<AccessLog.Entry> latest = log.latest(count);
    reply.array(latest.size());
    for (AccessLog.Entry each : latest) {
      reply.map(7);
      reply.bulk("count");
      reply.integer(each.count());
      reply.bulk("reason");
      reply.bulk(each.reason());
      reply.bulk("context");
      reply.bulk(each.context());
      reply.bulk("object");
      reply.bulk(each.object());
      reply.bulk("username");
      reply.bulk(each.user());
      reply.bulk("age-seconds");
      reply.real((call.server().clock().millis() - each.latest()) / 1e3);
      reply.bulk("client-info");
      reply.bulk(each.client());
    }
  }

  private static void cat(Call call) {
    if (call.size() > 3) {
      throw other(call);
    }
    Set<String> found = new TreeSet<>();
    for (Command each : call.server().commands().withSubcommands()) {
      if (call.size() == 2) {
        found.addAll(each.categories());
      } else if (each.categories().contains(call.lowerCase(2))) {
        found.add(each.name());
      }
    }
    if (found.isEmpty()) {
      throw ReplyException.error("Unknown category '%s'", call.text(2));
    }
    texts(call.reply(), List.copyOf(found));
  }
}
