package io.kvstadium.server.command.streams;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Numbers;
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

/** Commands on consumer groups, and on what is pending in them. */
public final class StreamGroupCommands {
  /** What XAUTOCLAIM visits for each entry that it may claim. */
  private static final int ATTEMPTS = 10;

  private StreamGroupCommands() {}

  /** The error for a group that does not exist. */
  static ReplyException noGroup(byte[] key, byte[] group, String where) {
    return new ReplyException(
        "NOGROUP No such key '%s' or consumer group '%s'%s"
            .formatted(Bytes.text(key), Bytes.text(group), where));
  }

  /** The error for a group that does not exist in a stream that does. */
  static ReplyException noGroupFor(byte[] key, byte[] group) {
    return new ReplyException(
        "NOGROUP No such consumer group '%s' for key name '%s'"
            .formatted(Bytes.text(group), Bytes.text(key)));
  }

  public static void group(Call call) {
    String what = call.lowerCase(1);
    boolean creates = what.equals("create");
    boolean makes = false;
    long read = StreamId.UNKNOWN_POSITION;
    for (int i = 5; i < call.size(); i++) {
      if (creates && call.lowerCase(i).equals("mkstream")) {
        makes = true;
      } else if (call.lowerCase(i).equals("entriesread") && i + 1 < call.size()) {
        read = call.integer(++i);
        if (read < StreamId.UNKNOWN_POSITION) {
          throw ReplyException.error("value for ENTRIESREAD must be positive or -1");
        }
      } else {
        throw call.wrongSubcommand();
      }
    }
    StoredStream found = StoredStream.find(call.keys(), call.arg(2));
    if (found == null && !makes) {
      throw ReplyException.error(
          "The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use"
              + " the MKSTREAM option to create an empty stream automatically.");
    }
    StoredStream stream = found != null ? found : StoredStream.findOrMake(call.keys(), call.arg(2));
    StreamGroup group = stream.group(call.arg(3));
    if (creates) {
      if (call.size() > 8) {
        throw call.wrongSubcommand();
      }
      create(call, stream, group, read);
      return;
    }
    if (group == null) {
      if (!what.equals("destroy")) {
        throw noGroupFor(call.arg(2), call.arg(3));
      }
      call.reply().integer(0);
      return;
    }
    switch (what) {
      case "destroy" -> {
        stream.removeGroup(group);
        call.keys().notify(call.arg(2), "xgroup-destroy");
        call.reply().integer(1);
      }
      case "setid" -> setId(call, group, read);
      case "createconsumer" -> createConsumer(call, group);
      default -> deleteConsumer(call, group);
    }
  }

  private static void create(
      Call call, StoredStream stream, @Nullable StreamGroup before, long read) {
    StreamId id = isLast(call, 4) ? stream.last() : StreamIds.strict(call.arg(4), 0);
    if (before != null) {
      throw new ReplyException("BUSYGROUP Consumer Group name already exists");
    }
    stream.makeGroup(call.arg(3), id, read).save();
    stream.save();
    call.keys().notify(call.arg(2), "xgroup-create");
    call.reply().ok();
  }

  private static boolean isLast(Call call, int i) {
    return call.text(i).equals("$");
  }

  private static void setId(Call call, StreamGroup group, long read) {
    if (call.size() != 5 && call.size() != 7) {
      throw call.wrongSubcommand();
    }
    group.set(isLast(call, 4) ? group.stream().last() : StreamIds.of(call.arg(4), 0), read);
    group.save();
    call.keys().notify(call.arg(2), "xgroup-setid");
    call.reply().ok();
  }

  private static void createConsumer(Call call, StreamGroup group) {
    boolean isNew = group.consumer(call.arg(4)) == null;
    if (isNew) {
      group.seen(call.arg(4), call.now());
      group.save();
    }
    call.reply().integer(isNew ? 1 : 0);
  }

  private static void deleteConsumer(Call call, StreamGroup group) {
    Consumer consumer = group.consumer(call.arg(4));
    long pending = 0;
    if (consumer != null) {
      pending = consumer.pending();
      group.remove(consumer);
      group.save();
      call.keys().notify(call.arg(2), "xgroup-delconsumer");
    }
    call.reply().integer(pending);
  }

  /** The group in the arguments of most commands, or {@code null}. */
  private static @Nullable StreamGroup find(Call call) {
    StoredStream stream = StoredStream.find(call.keys(), call.arg(1));
    return stream == null ? null : stream.group(call.arg(2));
  }

  private static StreamGroup require(Call call) {
    StreamGroup group = find(call);
    if (group == null) {
      throw noGroup(call.arg(1), call.arg(2), "");
    }
    return group;
  }

  public static void acknowledge(Call call) {
    StreamGroup group = find(call);
    int done = 0;
    if (group != null) {
      for (StreamId each : StreamCommands.ids(call, 3)) {
        Pending pending = group.pending(each);
        if (pending != null) {
          group.remove(pending);
          done++;
        }
      }
      if (done > 0) {
        group.save();
      }
    }
    call.reply().integer(done);
  }

  public static void pending(Call call) {
    if (call.size() == 3) {
      summary(call, require(call));
      return;
    }
    if (call.size() < 6 || call.size() > 9) {
      throw ReplyException.syntax();
    }
    int at = 3;
    long idle = 0;
    if (call.lowerCase(3).equals("idle")) {
      idle = call.integer(4);
      if (call.size() < 8) {
        throw ReplyException.syntax();
      }
      at = 5;
    }
    long count = Math.max(0, call.integer(at + 2));
    StreamId from = StreamIds.from(call.arg(at));
    StreamId to = StreamIds.to(call.arg(at + 1));
    StreamGroup group = require(call);
    Consumer consumer = null;
    boolean nobody = false;
    if (at + 3 < call.size()) {
      consumer = group.consumer(call.arg(at + 3));
      nobody = consumer == null;
    }
    List<Pending> found = new ArrayList<>();
    if (count > 0 && !nobody) {
      long latest = idle == 0 ? Long.MAX_VALUE : call.now() - idle;
      group.each(
          consumer,
          from,
          to,
          each -> {
            if (each.time() <= latest) {
              found.add(each);
            }
            return found.size() < count;
          });
    }
    call.reply().array(found.size());
    for (Pending each : found) {
      call.reply().array(4);
      call.reply().bulk(each.id().text());
      call.reply().bulk(each.consumer());
      call.reply().integer(Math.max(0, call.now() - each.time()));
      call.reply().integer(each.deliveries());
    }
  }

  private static void summary(Call call, StreamGroup group) {
    ReplyWriter reply = call.reply();
    reply.array(4);
    reply.integer(group.pending());
    if (group.pending() == 0) {
      reply.nil();
      reply.nil();
      reply.nilArray();
      return;
    }
    reply.bulk(group.edge(false).text());
    reply.bulk(group.edge(true).text());
    List<Consumer> busy = group.all().stream().filter(each -> each.pending() > 0).toList();
    reply.array(busy.size());
    for (Consumer each : busy) {
      reply.array(2);
      reply.bulk(each.name());
      reply.bulk(Long.toString(each.pending()));
    }
  }

  /** The options of XCLAIM after its IDs. */
  private record Claim(long time, long deliveries, boolean force, boolean justId) {}

  public static void claim(Call call) {
    StreamGroup group = require(call);
    long idle =
        Math.max(0, Numbers.integer(call.arg(4), "Invalid min-idle-time argument for XCLAIM"));
    List<StreamId> ids = new ArrayList<>();
    int at = 5;
    for (; at < call.size(); at++) {
      StreamId id = StreamIds.parse(call.arg(at), 0);
      if (id == null) {
        break; // the options begin here
      }
      ids.add(id);
    }
    Claim claim = claim(call, group, at);
    List<StreamEntry> claimed = new ArrayList<>();
    for (StreamId id : ids) {
      Pending pending = group.pending(id);
      StreamEntry entry = group.stream().get(id);
      boolean forced = pending == null && claim.force();
      if (entry.stored() == null) {
        if (pending != null) {
          group.remove(pending); // of an entry that is gone
        }
      } else if (forced
          || (pending != null && (idle == 0 || call.now() - pending.time() >= idle))) {
        long before = pending == null ? 1 : pending.deliveries();
        long deliveries =
            claim.deliveries() >= 0 ? claim.deliveries() : before + (claim.justId() ? 0 : 1);
        Consumer consumer = group.seen(call.arg(3), call.now());
        group.put(id, consumer, claim.time(), deliveries, pending);
        claimed.add(entry);
      }
    }
    group.save();
    write(call.reply(), claimed, claim.justId());
  }

  private static Claim claim(Call call, StreamGroup group, int from) {
    long time = call.now();
    long deliveries = -1;
    boolean force = false;
    boolean justId = false;
    StreamId last = StreamId.MIN;
    for (int i = from; i < call.size(); i++) {
      boolean more = i + 1 < call.size();
      String option = call.lowerCase(i);
      if (option.equals("force")) {
        force = true;
      } else if (option.equals("justid")) {
        justId = true;
      } else if (option.equals("idle") && more) {
        time = call.now() - number(call, ++i, "IDLE");
      } else if (option.equals("time") && more) {
        time = number(call, ++i, "TIME");
      } else if (option.equals("retrycount") && more) {
        deliveries = number(call, ++i, "RETRYCOUNT");
      } else if (option.equals("lastid") && more) {
        last = StreamIds.strict(call.arg(++i), 0);
      } else {
        throw ReplyException.error("Unrecognized XCLAIM option '%s'", call.text(i));
      }
    }
    if (last.isAfter(group.delivered())) {
      group.set(last, group.read());
    }
    boolean possible = time >= 0 && time <= call.now(); // else the client's clock is wrong
    return new Claim(possible ? time : call.now(), deliveries, force, justId);
  }

  private static long number(Call call, int i, String option) {
    return Numbers.integer(call.arg(i), "Invalid " + option + " option argument for XCLAIM");
  }

  private static void write(ReplyWriter reply, List<StreamEntry> claimed, boolean justId) {
    if (!justId) {
      StreamReads.entries(reply, claimed);
      return;
    }
    reply.array(claimed.size());
    claimed.forEach(each -> reply.bulk(each.id().text()));
  }

  public static void autoclaim(Call call) {
    long idle =
        Math.max(0, Numbers.integer(call.arg(4), "Invalid min-idle-time argument for XAUTOCLAIM"));
    StreamId start = StreamIds.from(call.arg(5));
    long given = 100;
    boolean only = false;
    for (int i = 6; i < call.size(); i++) {
      if (call.lowerCase(i).equals("count") && i + 1 < call.size()) {
        given = Numbers.integer(call.arg(++i), "COUNT must be > 0");
        if (given < 1 || given > Long.MAX_VALUE / StreamId.BYTES) {
          throw ReplyException.error("COUNT must be > 0");
        }
      } else if (call.lowerCase(i).equals("justid")) {
        only = true;
      } else {
        throw ReplyException.syntax();
      }
    }
    long count = given;
    boolean justId = only;
    StreamGroup group = require(call);
    List<StreamEntry> claimed = new ArrayList<>();
    List<StreamId> gone = new ArrayList<>();
    StreamId[] next = {StreamId.MIN};
    long[] visited = {0};
    group.each(
        null,
        start,
        StreamId.MAX,
        each -> {
          if (claimed.size() + gone.size() == count || visited[0]++ == ATTEMPTS * count) {
            next[0] = each.id();
            return false;
          }
          StreamEntry entry = group.stream().get(each.id());
          if (entry.stored() == null) {
            group.remove(each);
            gone.add(each.id());
          } else if (idle == 0 || call.now() - each.time() >= idle) {
            Consumer consumer = group.seen(call.arg(3), call.now());
            long deliveries = each.deliveries() + (justId ? 0 : 1);
            group.put(each.id(), consumer, call.now(), deliveries, each);
            claimed.add(entry);
          }
          return true;
        });
    group.save();
    call.reply().array(3);
    call.reply().bulk(next[0].text());
    write(call.reply(), claimed, justId);
    call.reply().array(gone.size());
    gone.forEach(each -> call.reply().bulk(each.text()));
  }
}
