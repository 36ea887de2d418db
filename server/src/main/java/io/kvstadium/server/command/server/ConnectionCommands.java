package io.kvstadium.server.command.server;

import io.kvstadium.server.access.Access;
import io.kvstadium.server.access.Users;
import io.kvstadium.server.client.Client;
import io.kvstadium.server.client.Client.Replies;
import io.kvstadium.server.client.ClientLine;
import io.kvstadium.server.command.Call;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.transfer.redis.Decimal;

/** Commands on the connection itself. */
public final class ConnectionCommands {
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
  static String checkedName(String name, String what) {
    if (name.chars().anyMatch(c -> c < '!' || c > '~')) {
      throw ReplyException.error("%s cannot contain spaces, newlines or special characters.", what);
    }
    return name;
  }
}
