package io.kvstadium.server.command.hashes;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.protocol.Extended;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.server.value.StoredHash;
import io.kvstadium.server.value.StoredHash.Member;
import io.kvstadium.transfer.redis.Decimal;
import io.kvstadium.transfer.redis.Kind;
import java.util.List;
import java.util.function.Function;

/** Commands on hashes. */
public final class HashCommands {
  /** A client that asks for more random fields with repetition only wants to fill our memory. */
  private static final int MAX_REPEATED = 1 << 20;

  private HashCommands() {}

  public static StoredHash hash(Call call) {
    return StoredHash.of(call.keys(), call.arg(1), Kind.HASH);
  }

  public static void hset(Call call, boolean counts) {
    if (call.size() % 2 != 0) {
      throw ReplyException.arity(call.command().name());
    }
    StoredHash hash = hash(call);
    int fresh = 0;
    for (int i = 2; i < call.size(); i += 2) {
      fresh += hash.put(call.arg(i), call.arg(i + 1)) ? 1 : 0;
    }
    hash.save();
    if (counts) {
      call.reply().integer(fresh);
    } else {
      call.reply().ok();
    }
  }

  public static void hsetnx(Call call) {
    StoredHash hash = hash(call);
    boolean sets = !hash.has(call.arg(2));
    if (sets) {
      hash.put(call.arg(2), call.arg(3));
      hash.save();
    }
    call.reply().integer(sets ? 1 : 0);
  }

  public static void hlen(Call call) {
    StoredValue hash = call.keys().entry(call.arg(1), Kind.HASH);
    long count =
        hash != null && hash.hasFieldExpiries()
            ? call.keys().consistently(keys -> StoredHash.of(keys, call.arg(1), Kind.HASH).count())
            : hash == null ? 0 : hash.elements().count();
    call.reply().integer(count);
  }

  public static void hget(Call call) {
    call.reply().bulk(hash(call).get(call.arg(2)));
  }

  public static void hmget(Call call) {
    StoredHash hash = hash(call);
    call.reply().array(call.size() - 2);
    for (int i = 2; i < call.size(); i++) {
      call.reply().bulk(hash.get(call.arg(i)));
    }
  }

  public static void hgetall(Call call) {
    List<Member> all = hash(call).all();
    call.reply().map(all.size());
    all.forEach(each -> {
      call.reply().bulk(each.name());
      call.reply().bulk(each.value());
    });
  }

  public static void list(Call call, Function<Member, byte[]> part) {
    List<Member> all = hash(call).all();
    call.reply().array(all.size());
    all.forEach(each -> call.reply().bulk(part.apply(each)));
  }

  public static void hdel(Call call) {
    StoredHash hash = hash(call);
    int removed = 0;
    for (int i = 2; i < call.size(); i++) {
      removed += hash.remove(call.arg(i)) ? 1 : 0;
    }
    hash.save();
    call.reply().integer(removed);
  }

  public static void hstrlen(Call call) {
    byte[] value = hash(call).get(call.arg(2));
    call.reply().integer(value == null ? 0 : value.length);
  }

  public static void hincrby(Call call) {
    long by = call.integer(3);
    StoredHash hash = hash(call);
    byte[] before = hash.get(call.arg(2));
    long number = before == null ? 0 : Numbers.integer(before, "hash value is not an integer");
    byte[] sum = Decimal.bytes(Numbers.sum(number, by));
    hash.replace(call.arg(2), sum);
    hash.save();
    call.reply().integer(number + by);
  }

  public static void hincrbyfloat(Call call) {
    if (Double.isInfinite(Numbers.real(call.arg(3)))) {
      throw ReplyException.error("value is NaN or Infinity");
    }
    StoredHash hash = hash(call);
    byte[] before = hash.get(call.arg(2));
    if (before != null && !Numbers.isReal(before)) {
      throw ReplyException.error("hash value is not a float");
    }
    byte[] sum = Extended.sum(before == null ? new byte[] {'0'} : before, call.arg(3));
    hash.replace(call.arg(2), sum);
    hash.save();
    call.reply().bulk(sum);
  }

  public static void hrandfield(Call call) {
    if (call.size() == 2) {
      call.reply().bulk(hash(call).random());
      return;
    }
    boolean values = call.size() == 4 && call.lowerCase(3).equals("withvalues");
    long count = count(call, 2, values ? 2 : 1);
    if (call.size() > 3 && !values) {
      throw ReplyException.syntax();
    }
    fields(call.reply(), hash(call).random(count), values);
  }

  /**
   * The requested number of random fields or members.
   *
   * @param width elements of the answer for each
   */
  public static long count(Call call, int arg, int width) {
    long count = call.integer(arg);
    if (count == Long.MIN_VALUE) {
      throw ReplyException.error(
          "value is out of range, value must between %d and %d", -Long.MAX_VALUE, Long.MAX_VALUE);
    }
    if (count < -MAX_REPEATED || count > Long.MAX_VALUE / width) {
      throw ReplyException.error("value is out of range");
    }
    return count;
  }

  private static void fields(ReplyWriter reply, List<Member> fields, boolean values) {
    boolean nested = values && reply.isResp3();
    reply.array(values && !nested ? 2 * fields.size() : fields.size());
    for (Member field : fields) {
      if (nested) {
        reply.array(2);
      }
      reply.bulk(field.name());
      if (values) {
        reply.bulk(field.value());
      }
    }
  }
}
