package io.kvstadium.server.command.streams;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.server.value.StoredStream;
import io.kvstadium.server.value.StreamGroup;
import io.kvstadium.server.value.StreamGroup.Consumer;
import io.kvstadium.server.value.StreamGroup.Pending;
import io.kvstadium.transfer.redis.StreamEntry;
import io.kvstadium.transfer.redis.StreamId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** XINFO. */
public final class StreamInfo {
  private StreamInfo() {}

  public static void info(Call call) {
    StoredStream stream = StoredStream.find(call.keys(), call.arg(2));
    if (stream == null) {
      throw ReplyException.noSuchKey();
    }
    switch (call.lowerCase(1)) {
      case "stream" -> stream(call, stream);
      case "groups" -> groups(call.reply(), stream);
      default -> consumers(call, stream);
    }
  }

  private static void consumers(Call call, StoredStream stream) {
    StreamGroup group = stream.group(call.arg(3));
    if (group == null) {
      throw StreamGroupCommands.noGroupFor(call.arg(2), call.arg(3));
    }
    ReplyWriter reply = call.reply();
    List<Consumer> all = group.all();
    reply.array(all.size());
    for (Consumer each : all) {
      reply.map(3);
      reply.bulk("name");
      reply.bulk(each.name());
      field(reply, "pending", each.pending());
      field(reply, "idle", Math.max(0, call.now() - each.seen()));
    }
  }

  private static void groups(ReplyWriter reply, StoredStream stream) {
    List<StreamGroup> all = stream.groups();
    reply.array(all.size());
    for (StreamGroup each : all) {
      reply.map(6);
      reply.bulk("name");
      reply.bulk(each.name());
      field(reply, "consumers", each.consumers());
      field(reply, "pending", each.pending());
      field(reply, "last-delivered-id", each.delivered());
      progress(reply, each);
    }
  }

  private static void field(ReplyWriter reply, String name, StreamId id) {
    reply.bulk(name);
    reply.bulk(id.text());
  }

  private static void progress(ReplyWriter reply, StreamGroup group) {
    field(
        reply,
        "entries-read",
        group.read() == StreamId.UNKNOWN_POSITION ? null : Long.valueOf(group.read()));
    field(reply, "lag", group.lag());
  }

  private static void field(ReplyWriter reply, String name, @Nullable Number number) {
    reply.bulk(name);
    if (number == null) {
      reply.nil();
    } else {
      reply.integer(number.longValue());
    }
  }

  private static void stream(Call call, StoredStream stream) {
    int size = call.size();
    boolean full = size > 3;
    boolean counted = size == 6;
    if (full
        && ((size != 4 && !counted)
            || !call.lowerCase(3).equals("full")
            || (counted && !call.lowerCase(4).equals("count")))) {
      throw call.wrongSubcommand();
    }
    long given = counted ? call.integer(5) : 10;
    long max = given < 0 ? 10 : given == 0 ? Long.MAX_VALUE : given;
    ReplyWriter reply = call.reply();
    reply.map(full ? 9 : 10);
    field(reply, "length", stream.count());
    long group = StreamTrim.group(call);
    long before = stream.added() - stream.count();
    long nodes =
        stream.count() == 0
            ? 0
            : Math.floorDiv(stream.added() - 1, group) - Math.floorDiv(before, group) + 1;
    field(reply, "radix-tree-keys", nodes); // as many as Redis would have
    field(reply, "radix-tree-nodes", nodes + 1);
    field(reply, "last-generated-id", stream.last());
    field(reply, "max-deleted-entry-id", stream.maxDeleted());
    field(reply, "entries-added", stream.added());
    field(reply, "recorded-first-entry-id", stream.first());
    if (full) {
      reply.bulk("entries");
      StreamReads.entries(reply, stream.range(StreamId.MIN, StreamId.MAX, max, false));
      reply.bulk("groups");
      List<StreamGroup> all = stream.groups();
      reply.array(all.size());
      all.forEach(each -> full(reply, each, max));
    } else {
      field(reply, "groups", stream.groups().size());
      for (boolean end : new boolean[] {false, true}) {
        reply.bulk(end ? "last-entry" : "first-entry");
        List<StreamEntry> found = stream.range(StreamId.MIN, StreamId.MAX, 1, end);
        if (found.isEmpty()) {
          reply.nil();
        } else {
          StreamReads.entry(reply, found.getFirst());
        }
      }
    }
  }

  private static void full(ReplyWriter reply, StreamGroup group, long max) {
    reply.map(7);
    reply.bulk("name");
    reply.bulk(group.name());
    field(reply, "last-delivered-id", group.delivered());
    progress(reply, group);
    field(reply, "pel-count", group.pending());
    pending(reply, group, null, max);
    reply.bulk("consumers");
    List<Consumer> consumers = group.all();
    reply.array(consumers.size());
    for (Consumer each : consumers) {
      reply.map(4);
      reply.bulk("name");
      reply.bulk(each.name());
      field(reply, "seen-time", each.seen());
      field(reply, "pel-count", each.pending());
      pending(reply, group, each, max);
    }
  }

  private static void pending(
      ReplyWriter reply, StreamGroup group, @Nullable Consumer of, long max) {
    List<Pending> found = new ArrayList<>();
    group.each(
        of,
        StreamId.MIN,
        StreamId.MAX,
        each -> {
          found.add(each);
          return found.size() < max;
        });
    reply.bulk("pending");
    reply.array(found.size());
    for (Pending each : found) {
      reply.array(of == null ? 4 : 3);
      reply.bulk(each.id().text());
      if (of == null) {
        reply.bulk(each.consumer());
      }
      reply.integer(each.time());
      reply.integer(each.deliveries());
    }
  }
}
