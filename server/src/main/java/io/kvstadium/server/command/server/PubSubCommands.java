package io.kvstadium.server.command.server;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.notify.Channels;
import io.kvstadium.server.protocol.Glob;
import io.kvstadium.server.protocol.ReplyWriter;
import java.util.List;

/** Messages among clients. */
public final class PubSubCommands {
  private PubSubCommands() {}

  public static void subscribe(Call call, boolean pattern) {
    for (int i = 1; i < call.size(); i++) {
      int count = call.server().listeners().channels().join(call.client(), call.arg(i), pattern);
      call.reply().push(3);
      call.reply().bulk(pattern ? "psubscribe" : "subscribe");
      call.reply().bulk(call.arg(i));
      call.reply().integer(count);
    }
  }

  public static void unsubscribe(Call call, boolean pattern) {
    String kind = pattern ? "punsubscribe" : "unsubscribe";
    Channels channels = call.server().listeners().channels();
    List<byte[]> names =
        call.size() > 1
            ? List.of(call.request()).subList(1, call.size())
            : channels.of(call.client(), pattern);
    for (byte[] name : names) {
      int count = channels.leave(call.client(), name, pattern);
      call.reply().push(3);
      call.reply().bulk(kind);
      call.reply().bulk(name);
      call.reply().integer(count);
    }
    if (names.isEmpty()) {
      call.reply().push(3);
      call.reply().bulk(kind);
      call.reply().nil();
      call.reply().integer(call.client().subscriptions);
    }
  }

  public static void publish(Call call) {
    call.reply().integer(call.server().listeners().channels().publish(call.arg(1), call.arg(2)));
  }

  public static void pubsub(Call call) {
    Channels channels = call.server().listeners().channels();
    ReplyWriter reply = call.reply();
    switch (call.lowerCase(1)) {
      case "channels" -> {
        Glob pattern = new Glob(call.size() > 2 ? call.arg(2) : new byte[] {'*'});
        List<byte[]> names = channels.names().stream().filter(pattern::matches).toList();
        reply.array(names.size());
        names.forEach(reply::bulk);
      }
      case "numsub" -> {
        reply.array(2 * (call.size() - 2));
        for (int i = 2; i < call.size(); i++) {
          reply.bulk(call.arg(i));
          reply.integer(channels.listeners(call.arg(i)));
        }
      }
      default -> reply.integer(channels.patterns());
    }
  }
}
