package io.kvstadium.server.command.server;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.notify.Channels;
import io.kvstadium.server.notify.Channels.Kind;
import io.kvstadium.server.protocol.Glob;
import io.kvstadium.server.protocol.ReplyWriter;
import java.util.List;

/** Messages among clients. */
public final class PubSubCommands {
  private PubSubCommands() {}

  public static void subscribe(Call call, Kind kind) {
    for (int i = 1; i < call.size(); i++) {
      int count = call.server().listeners().channels().join(call.client(), call.arg(i), kind);
      call.reply().push(3);
      call.reply().bulk(kind.word("subscribe"));
      call.reply().bulk(call.arg(i));
      call.reply().integer(count);
    }
  }

  public static void unsubscribe(Call call, Kind kind) {
    Channels channels = call.server().listeners().channels();
    List<byte[]> names =
        call.size() > 1
            ? List.of(call.request()).subList(1, call.size())
            : channels.of(call.client(), kind);
    for (byte[] name : names) {
      int count = channels.leave(call.client(), name, kind);
      call.reply().push(3);
      call.reply().bulk(kind.word("unsubscribe"));
      call.reply().bulk(name);
      call.reply().integer(count);
    }
    if (names.isEmpty()) {
      call.reply().push(3);
      call.reply().bulk(kind.word("unsubscribe"));
      call.reply().nil();
      call.reply().integer(Channels.count(call.client(), kind));
    }
  }

  public static void publish(Call call, Kind kind) {
    Channels channels = call.server().listeners().channels();
    call.reply().integer(channels.publish(kind, call.arg(1), call.arg(2)));
  }

  public static void pubsub(Call call) {
    Channels channels = call.server().listeners().channels();
    ReplyWriter reply = call.reply();
    Kind kind = call.lowerCase(1).startsWith("shard") ? Kind.SHARD : Kind.CHANNEL;
    switch (call.lowerCase(1)) {
      case "channels", "shardchannels" -> {
        Glob pattern = new Glob(call.size() > 2 ? call.arg(2) : new byte[] {'*'});
        List<byte[]> names = channels.names(kind).stream().filter(pattern::matches).toList();
        reply.array(names.size());
        names.forEach(reply::bulk);
      }
      case "numsub", "shardnumsub" -> {
        reply.array(2 * (call.size() - 2));
        for (int i = 2; i < call.size(); i++) {
          reply.bulk(call.arg(i));
          reply.integer(channels.listeners(kind, call.arg(i)));
        }
      }
      default -> reply.integer(channels.names(Kind.PATTERN).size());
    }
  }
}
