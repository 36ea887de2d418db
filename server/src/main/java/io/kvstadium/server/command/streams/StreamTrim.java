package io.kvstadium.server.command.streams;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.value.StoredStream;
import io.kvstadium.transfer.redis.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * Which entries XADD and XTRIM remove from the beginning of a stream.
 *
 * @param max how many entries may stay; -1 for no limit
 * @param min the lowest ID that may stay, or {@code null} for no limit
 * @param approximate whether only whole groups of entries are removed, which is less work
 * @param limit how many are removed at most; 0 for no limit
 * @param group how many entries make a group
 * @param creates whether XADD may make the stream
 * @param next the argument after the options
 */
public record StreamTrim(
    long max,
    @Nullable StreamId min,
    boolean approximate,
    long limit,
    long group,
    boolean creates,
    int next) {
  /** Redis removes no more at once, unless it is told to. */
  private static final long MAX_AT_ONCE = 1_000_000;

  /** The options of a request. */
  static StreamTrim of(Call call, boolean adds) {
    long max = -1;
    StreamId min = null;
    boolean approximate = false;
    long limit = -1;
    boolean creates = true;
    int i = 2;
    for (boolean more = true; more && i < call.size(); ) {
      String option = call.lowerCase(i);
      boolean last = i + 1 == call.size();
      if (adds && option.equals("*")) {
        more = false;
      } else if ((option.equals("maxlen") || option.equals("minid")) && !last) {
        if (max >= 0 || min != null) {
          throw ReplyException.error(
              "syntax error, MAXLEN and MINID options at the same time are not compatible");
        }
        String how = call.lowerCase(i + 1);
        boolean given = (how.equals("~") || how.equals("=")) && i + 2 < call.size();
        approximate = given && how.equals("~");
        i += given ? 2 : 1;
        if (option.equals("maxlen")) {
          max = notNegative(call.integer(i), "MAXLEN");
        } else {
          min = StreamIds.strict(call.arg(i), 0);
        }
        i++;
      } else if (option.equals("limit") && !last) {
        limit = notNegative(call.integer(i + 1), "LIMIT");
        i += 2;
      } else if (adds && option.equals("nomkstream")) {
        creates = false;
        i++;
      } else if (adds) {
        more = false;
      } else {
        throw ReplyException.syntax();
      }
    }
    boolean trims = max >= 0 || min != null;
    if (limit > 0 && !trims) {
      throw ReplyException.error(
          "syntax error, LIMIT cannot be used without specifying a trimming strategy");
    }
    if (!adds && !trims) {
      throw ReplyException.error("syntax error, XTRIM must be called with a trimming strategy");
    }
    if (limit >= 0 && !approximate) {
      throw ReplyException.error("syntax error, LIMIT cannot be used without the special ~ option");
    }
    long group = approximate ? group(call) : 1;
    long usual = approximate ? Math.min(100 * group, MAX_AT_ONCE) : 0;
    return new StreamTrim(max, min, approximate, limit < 0 ? usual : limit, group, creates, i);
  }

  private static long notNegative(long number, String option) {
    if (number < 0) {
      throw ReplyException.error("The %s argument must be >= 0.", option);
    }
    return number;
  }

  /** How many entries Redis keeps together: what is approximate is a multiple of it. */
  static long group(Call call) {
    long set = Long.parseLong(call.server().parameters().get("stream-node-max-entries"));
    return set == 0 ? 100 : Math.min(set, MAX_AT_ONCE);
  }

  /** Removes entries; returns how many. */
  long apply(StoredStream stream) {
    long many = 0;
    if (max >= 0) {
      many = Math.max(0, stream.count() - max);
    } else if (min != null) {
      many = stream.countBefore(min, limit == 0 ? Long.MAX_VALUE : limit);
    }
    long removed = approximate ? whole(stream, many) : many;
    stream.removeFirst(removed);
    return removed;
  }

  /** How many of the first entries are in groups of which none stays. */
  private long whole(StoredStream stream, long many) {
    long allowed = limit == 0 ? many : Math.min(many, limit);
    long left = stream.count();
    long next = group - Math.floorMod(stream.added() - left, group);
    long removed = 0;
    for (long size = Math.min(next, left); size > 0 && removed + size <= allowed; ) {
      removed += size;
      left -= size;
      size = Math.min(group, left);
    }
    return removed;
  }
}
