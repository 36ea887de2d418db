package io.kvstadium.server.command.streams;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.value.StoredStream;
import io.kvstadium.transfer.redis.StreamEntry;
import io.kvstadium.transfer.redis.StreamId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Commands on the entries of a stream, other than those that wait. */
public final class StreamCommands {
  private StreamCommands() {}

  public static void add(Call call) {
    StreamTrim trim = StreamTrim.of(call, true);
    int at = trim.next();
    byte[] text = at < call.size() ? call.arg(at) : new byte[] {'*'};
    boolean numbers = text.length == 1 && text[0] == '*';
    boolean numbersSecond = !numbers && endsOpen(text);
    StreamId given =
        numbers
            ? StreamId.MIN
            : StreamIds.strict(numbersSecond ? Arrays.copyOf(text, text.length - 2) : text, 0);
    int pairs = call.size() - at - 1;
    if (pairs < 2 || pairs % 2 != 0) {
      throw ReplyException.arity(call.command().name());
    }
    if (!numbers && !numbersSecond && given.equals(StreamId.MIN)) {
      throw ReplyException.error("The ID specified in XADD must be greater than 0-0");
    }
    if (!trim.creates() && StoredStream.find(call.keys(), call.arg(1)) == null) {
      call.reply().nil();
      return;
    }
    StoredStream stream = StoredStream.findOrMake(call.keys(), call.arg(1));
    StreamId last = stream.last();
    if (last.equals(StreamId.MAX)) {
      throw ReplyException.error(
          "The stream has exhausted the last possible ID, unable to add more items");
    }
    StreamId id = given;
    if (numbers) {
      id = new StreamId(call.now(), 0).max(last.next());
    } else if (numbersSecond && given.ms() == last.ms()) {
      id = last.seq() == -1 ? last : last.next();
    }
    if (!id.isAfter(last)) {
      throw ReplyException.error(
          "The ID specified in XADD is equal or smaller than the target stream top item");
    }
    List<byte[]> all = Arrays.asList(call.request());
    stream.add(id, StreamEntry.stored(all.subList(at + 1, call.size())));
    long trimmed = trim.apply(stream);
    stream.save();
    call.keys().notify(call.arg(1), "xadd");
    if (trimmed > 0) {
      call.keys().notify(call.arg(1), "xtrim");
    }
    call.reply().bulk(id.text());
  }

  /** Whether the second number is to be found, as in {@code 5-*}. */
  private static boolean endsOpen(byte[] text) {
    int end = text.length - 2;
    return end > 0
        && text[end] == '-'
        && text[end + 1] == '*'
        && Bytes.text(text).indexOf('-') == end;
  }

  public static void range(Call call, boolean reversed) {
    StreamId from = StreamIds.from(call.arg(reversed ? 3 : 2));
    StreamId to = StreamIds.to(call.arg(reversed ? 2 : 3));
    long max = Long.MAX_VALUE;
    for (int i = 4; i < call.size(); i += 2) {
      if (!call.lowerCase(i).equals("count") || i + 1 == call.size()) {
        throw ReplyException.syntax();
      }
      max = Math.max(0, call.integer(i + 1));
    }
    StoredStream stream = StoredStream.find(call.keys(), call.arg(1));
    if (stream != null && max == 0) {
      call.reply().nilArray();
      return;
    }
    StreamReads.entries(
        call.reply(), stream == null ? List.of() : stream.range(from, to, max, reversed));
  }

  public static void length(Call call) {
    StoredStream stream = StoredStream.find(call.keys(), call.arg(1));
    call.reply().integer(stream == null ? 0 : stream.count());
  }

  /** The IDs in the arguments from one on. */
  static List<StreamId> ids(Call call, int from) {
    List<StreamId> ids = new ArrayList<>();
    for (int i = from; i < call.size(); i++) {
      ids.add(StreamIds.strict(call.arg(i), 0));
    }
    return ids;
  }

  public static void delete(Call call) {
    StoredStream stream = StoredStream.find(call.keys(), call.arg(1));
    int removed = 0;
    if (stream != null) {
      for (StreamId each : ids(call, 2)) {
        removed += stream.remove(each) ? 1 : 0;
      }
    }
    if (stream != null && removed > 0) {
      stream.save();
      call.keys().notify(call.arg(1), "xdel");
    }
    call.reply().integer(removed);
  }

  public static void trim(Call call) {
    StreamTrim trim = StreamTrim.of(call, false);
    StoredStream stream = StoredStream.find(call.keys(), call.arg(1));
    long removed = stream == null ? 0 : trim.apply(stream);
    if (stream != null && removed > 0) {
      stream.save();
      call.keys().notify(call.arg(1), "xtrim");
    }
    call.reply().integer(removed);
  }

  public static void setId(Call call) {
    StreamId id = StreamIds.strict(call.arg(2), 0);
    StreamId deleted = StreamId.MIN;
    long added = -1;
    for (int i = 3; i < call.size(); i += 2) {
      if (i + 1 == call.size()) {
        throw ReplyException.syntax();
      }
      switch (call.lowerCase(i)) {
        case "entriesadded" -> {
          added = call.integer(i + 1);
          if (added < 0) {
            throw ReplyException.error("entries_added must be positive");
          }
        }
        case "maxdeletedid" -> {
          deleted = StreamIds.strict(call.arg(i + 1), 0);
          if (deleted.isAfter(id)) {
            throw ReplyException.error(
                "The ID specified in XSETID is smaller than the provided max_deleted_entry_id");
          }
        }
        default -> throw ReplyException.syntax();
      }
    }
    StoredStream stream = StoredStream.find(call.keys(), call.arg(1));
    if (stream == null) {
      throw ReplyException.noSuchKey();
    }
    if (stream.count() > 0 && stream.top().isAfter(id)) {
      throw ReplyException.error(
          "The ID specified in XSETID is smaller than the target stream top item");
    }
    if (stream.count() > 0 && added >= 0 && added < stream.count()) {
      throw ReplyException.error(
          "The entries_added specified in XSETID is smaller than the target stream length");
    }
    stream.set(
        id,
        deleted.equals(StreamId.MIN) ? stream.maxDeleted() : deleted,
        added < 0 ? stream.added() : added);
    stream.save();
    call.keys().notify(call.arg(1), "xsetid");
    call.reply().ok();
  }
}
