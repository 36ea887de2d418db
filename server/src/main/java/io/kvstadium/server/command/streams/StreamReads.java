package io.kvstadium.server.command.streams;

import io.kvstadium.server.command.BlockedClient;
import io.kvstadium.server.command.BlockedClient.Wanted;
import io.kvstadium.server.command.Call;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.server.value.StoredStream;
import io.kvstadium.server.value.StreamGroup;
import io.kvstadium.server.value.StreamGroup.Consumer;
import io.kvstadium.server.value.StreamGroup.Pending;
import io.kvstadium.transfer.redis.Kind;
import io.kvstadium.transfer.redis.StreamEntry;
import io.kvstadium.transfer.redis.StreamId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** XREAD and XREADGROUP. */
public final class StreamReads {
  /** What one that waited gets at most, unless it has said. */
  private static final long MAX_AWAITED = 1_000;

  /** Stands for what was delivered to nobody. */
  private static final StreamId NEW = StreamId.MAX;

  /**
   * The arguments.
   *
   * @param millis how long it waits; 0 for ever, -1 for not at all
   * @param count 0 for no limit
   * @param group as whose consumer it reads, or {@code null}
   * @param keys the streams
   * @param ids after which ID it reads, of each
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Arguments(
      long millis,
      long count,
      byte @Nullable [] group,
      byte[] consumer,
      boolean noAck,
      List<byte[]> keys,
      List<byte[]> ids) {
    long max() {
      return count == 0 ? Long.MAX_VALUE : count;
    }
  }

  /**
   * Where to read.
   *
   * @param after the ID after which to begin
   */
  private record Source(
      @Nullable StoredStream stream, @Nullable StreamGroup group, StreamId after) {}

  /** What is answered of one stream. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Found(byte[] key, List<StreamEntry> entries) {}

  private StreamReads() {}

  /** Whether a request is one of these that may wait. */
  public static boolean waits(byte[][] request) {
    for (int i = 1; i + 1 < request.length; i++) {
      switch (Bytes.lowerCase(request[i])) {
        case "block" -> {
          return true;
        }
        case "streams" -> {
          return false;
        }
        case "count" -> i++;
        case "group" -> i += 2;
        default -> {}
      }
    }
    return false;
  }

  public static Arguments arguments(Call call, boolean grouped) {
    long millis = -1;
    long count = 0;
    byte @Nullable [] group = null;
    byte[] consumer = new byte[0];
    boolean noAck = false;
    int streams = 0;
    for (int i = 1; i < call.size() && streams == 0; i++) {
      int more = call.size() - i - 1;
      String option = call.lowerCase(i);
      if (option.equals("block") && more > 0) {
        millis = millis(call, ++i);
      } else if (option.equals("count") && more > 0) {
        count = Math.max(0, call.integer(++i));
      } else if (option.equals("streams") && more > 0) {
        streams = i + 1;
      } else if (option.equals("group") && more >= 2) {
        needsGroup(grouped, "GROUP");
        group = call.arg(++i);
        consumer = call.arg(++i);
      } else if (option.equals("noack")) {
        needsGroup(grouped, "NOACK");
        noAck = true;
      } else {
        throw ReplyException.syntax();
      }
    }
    int given = call.size() - streams;
    if (streams > 0 && given % 2 != 0) {
      throw ReplyException.error(
          "Unbalanced XREAD list of streams: for each stream key an ID or '$' must be specified.");
    }
    if (streams == 0) {
      throw ReplyException.syntax();
    }
    if (grouped && group == null) {
      throw ReplyException.error("Missing GROUP option for XREADGROUP");
    }
    List<byte[]> arguments = Arrays.asList(call.request());
    int ids = streams + given / 2;
    return new Arguments(
        millis,
        count,
        group,
        consumer,
        noAck,
        arguments.subList(streams, ids),
        arguments.subList(ids, call.size()));
  }

  private static void needsGroup(boolean grouped, String option) {
    if (!grouped) {
      throw ReplyException.error(
          "The %s option is only supported by XREADGROUP. You called XREAD instead.", option);
    }
  }

  private static long millis(Call call, int i) {
    if (call.isInScript()) {
      throw ReplyException.error(
          "%s command is not allowed with BLOCK option from scripts", call.text(0));
    }
    long millis = Numbers.integer(call.arg(i), "timeout is not an integer or out of range");
    if (millis < 0) {
      throw ReplyException.error("timeout is negative");
    }
    return millis;
  }

  public static void read(Call call, Arguments arguments) {
    List<Source> sources = new ArrayList<>();
    for (int i = 0; i < arguments.keys().size(); i++) {
      sources.add(source(call, arguments, i));
    }
    List<Found> found = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      // looked up again, since the key may have been among those before
      Source source = i == 0 ? sources.getFirst() : source(call, arguments, i);
      List<StreamEntry> entries = List.of();
      boolean history = false;
      if (source.group() != null) {
        history = !source.after().equals(NEW);
        entries =
            history
                ? history(call, arguments, source.group(), source.after())
                : deliver(call, arguments, source.group(), arguments.max());
      } else if (source.stream() != null) {
        entries = source.stream().after(source.after(), arguments.max());
      }
      if (history || !entries.isEmpty()) {
        found.add(new Found(arguments.keys().get(i), entries));
      }
    }
    if (!found.isEmpty()) {
      write(call.reply(), found);
    } else if (arguments.millis() < 0) {
      call.reply().nilArray();
    } else {
      await(call, arguments, sources);
    }
  }

  /** Where to read, once it is clear that this is possible. */
  private static Source source(Call call, Arguments arguments, int i) {
    byte[] key = arguments.keys().get(i);
    byte[] id = arguments.ids().get(i);
    byte[] name = arguments.group();
    StoredStream stream = StoredStream.find(call.keys(), key);
    if (name == null) {
      return new Source(stream, null, after(stream, id));
    }
    StreamGroup group = stream == null ? null : stream.group(name);
    if (group == null) {
      throw StreamGroupCommands.noGroup(key, name, " in XREADGROUP with GROUP option");
    }
    if (isSign(id, '$') || isSign(id, '+')) {
      throw ReplyException.error(
          "The %1$s ID is meaningless in the context of XREADGROUP: you want to read the history of"
              + " this consumer by specifying a proper ID, or use the > ID to get new messages. The"
              + " %1$s ID would just return an empty result set.",
          Bytes.text(id));
    }
    return new Source(stream, group, isSign(id, '>') ? NEW : StreamIds.strict(id, 0));
  }

  private static StreamId after(@Nullable StoredStream stream, byte[] id) {
    if (isSign(id, '>')) {
      throw ReplyException.error(
          "The > ID can be specified only when calling XREADGROUP using the GROUP <group>"
              + " <consumer> option.");
    }
    if (stream != null && stream.count() > 0 && isSign(id, '+')) { // the last entry
      return stream.top().previous();
    }
    if (isSign(id, '$') || isSign(id, '+')) {
      return stream == null ? StreamId.MIN : stream.last();
    }
    return StreamIds.strict(id, 0);
  }

  private static boolean isSign(byte[] id, char sign) {
    return id.length == 1 && id[0] == sign;
  }

  private static List<StreamEntry> deliver(
      Call call, Arguments arguments, StreamGroup group, long max) {
    List<StreamEntry> entries = group.stream().after(group.delivered(), max);
    if (entries.isEmpty()) {
      return entries;
    }
    Consumer consumer = group.seen(arguments.consumer(), call.now());
    for (StreamEntry each : entries) {
      group.deliver(each.id());
      if (!arguments.noAck()) {
        group.put(each.id(), consumer, call.now(), 1, group.pending(each.id()));
      }
    }
    group.save();
    return entries;
  }

  /** What is pending for a consumer, which is thereby delivered again. */
  private static List<StreamEntry> history(
      Call call, Arguments arguments, StreamGroup group, StreamId after) {
    Consumer consumer = group.seen(arguments.consumer(), call.now());
    List<Pending> pending = new ArrayList<>();
    group.each(
        consumer,
        after.next(),
        StreamId.MAX,
        each -> {
          pending.add(each);
          return pending.size() < arguments.max();
        });
    List<StreamEntry> entries = new ArrayList<>();
    for (Pending each : pending) {
      StreamEntry entry = group.stream().get(each.id());
      entries.add(entry);
      if (entry.stored() != null) {
        group.put(each.id(), consumer, call.now(), each.deliveries() + 1, each);
      }
    }
    group.save();
    return entries;
  }

  private static void write(ReplyWriter reply, List<Found> found) {
    if (reply.isResp3()) {
      reply.map(found.size());
    } else {
      reply.array(found.size());
    }
    for (Found each : found) {
      if (!reply.isResp3()) {
        reply.array(2);
      }
      reply.bulk(each.key());
      entries(reply, each.entries());
    }
  }

  private static void await(Call call, Arguments arguments, List<Source> sources) {
    Map<Bytes, StreamId> ids = new HashMap<>();
    for (int i = 0; i < sources.size(); i++) {
      ids.putIfAbsent(new Bytes(arguments.keys().get(i)), sources.get(i).after());
    }
    BlockedClient.await(
        call,
        new Wanted(
            arguments.keys(),
            Kind.STREAM,
            arguments.millis(),
            (each, key) -> isReady(each, arguments, key, ids),
            (each, key) -> serve(each, arguments, key, ids)));
  }

  private static StreamId id(Map<Bytes, StreamId> ids, byte[] key) {
    return ids.getOrDefault(new Bytes(key), StreamId.MAX);
  }

  private static boolean isReady(
      Call call, Arguments arguments, byte[] key, Map<Bytes, StreamId> ids) {
    StoredStream stream = StoredStream.findAny(call.keys(), key);
    byte[] name = arguments.group();
    if (name == null) {
      return stream != null && stream.hasAfter(id(ids, key));
    }
    StreamGroup group = stream == null ? null : stream.group(name);
    return stream == null || group == null || stream.hasAfter(group.delivered());
  }

  /** Answers a request that has waited. */
  private static void serve(Call call, Arguments arguments, byte[] key, Map<Bytes, StreamId> ids) {
    StoredStream stream = StoredStream.findAny(call.keys(), key);
    byte[] name = arguments.group();
    if (stream == null) {
      throw new ReplyException("UNBLOCKED the stream key no longer exists");
    }
    long max = arguments.count() == 0 ? MAX_AWAITED : arguments.count();
    List<StreamEntry> entries;
    if (name == null) {
      entries = stream.after(id(ids, key), max);
    } else {
      StreamGroup group = stream.group(name);
      if (group == null) {
        throw new ReplyException(
            "NOGROUP the consumer group this client was blocked on no longer exists");
      }
      entries = deliver(call, arguments, group, max);
    }
    write(call.reply(), List.of(new Found(key, entries)));
  }

  static void entries(ReplyWriter reply, List<StreamEntry> entries) {
    reply.array(entries.size());
    entries.forEach(each -> entry(reply, each));
  }

  static void entry(ReplyWriter reply, StreamEntry entry) {
    reply.array(2);
    reply.bulk(entry.id().text());
    byte[] bytes = entry.stored();
    if (bytes == null) {
      reply.nilArray();
      return;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int left = StreamEntry.number(in);
    reply.array(left);
    for (; left > 0; left--) {
      int length = StreamEntry.number(in);
      reply.bulk(bytes, in.position(), length);
      in.position(in.position() + length);
    }
  }
}
