package io.kvstadium.server.redis;

import io.kvstadium.server.redis.Members.Member;
import java.util.List;
import java.util.function.Function;

/** Commands on hashes. */
final class HashCommands {
  /** A client that asks for more random fields with repetition only wants to fill our memory. */
  private static final int MOST_REPEATED = 1 << 20;

  private HashCommands() {}

  static void register(Commands commands) {
    commands
        .group("hash")
        .key("hset", -4, "write fast", "2.0.0", "Sets fields of a hash.", call -> hset(call, true))
        .key(
            "hmset",
            -4,
            "write fast",
            "2.0.0",
            "Sets fields of a hash; see HSET.",
            call -> hset(call, false))
        .key(
            "hsetnx",
            4,
            "write fast",
            "2.0.0",
            "Sets a field of a hash that it does not have.",
            HashCommands::hsetnx)
        .key("hget", 3, "readonly fast whole", "2.0.0", "Returns a field.", HashCommands::hget)
        .key(
            "hmget",
            -3,
            "readonly fast whole",
            "2.0.0",
            "Returns several fields.",
            HashCommands::hmget)
        .key(
            "hgetall",
            2,
            "readonly long whole",
            "2.0.0",
            "Returns all fields with their values.",
            HashCommands::hgetall)
        .key("hdel", -3, "write fast", "2.0.0", "Removes fields.", HashCommands::hdel)
        .key(
            "hlen",
            2,
            "readonly fast",
            "2.0.0",
            "Returns how many fields there are.",
            call -> call.reply().integer(hash(call).count()))
        .key(
            "hexists",
            3,
            "readonly fast whole",
            "2.0.0",
            "Returns whether there is a field.",
            call -> call.reply().integer(hash(call).has(call.arg(2)) ? 1 : 0))
        .key(
            "hkeys",
            2,
            "readonly long whole",
            "2.0.0",
            "Returns the names of all fields.",
            call -> list(call, Member::name))
        .key(
            "hvals",
            2,
            "readonly long whole",
            "2.0.0",
            "Returns the values of all fields.",
            call -> list(call, Member::value))
        .key(
            "hstrlen",
            3,
            "readonly fast whole",
            "3.2.0",
            "Returns the length of a field's value.",
            HashCommands::hstrlen)
        .key(
            "hincrby",
            4,
            "write fast",
            "2.0.0",
            "Adds to a field that is an integer.",
            HashCommands::hincrby)
        .key(
            "hincrbyfloat",
            4,
            "write fast",
            "2.6.0",
            "Adds to a field that is a number.",
            HashCommands::hincrbyfloat)
        .key(
            "hrandfield",
            -2,
            "readonly long whole",
            "6.2.0",
            "Returns fields at random.",
            HashCommands::hrandfield)
        .key(
            "hscan",
            -3,
            "readonly long whole",
            "2.8.0",
            "Iterates over the fields, a part at a time.",
            call -> Members.scan(call, Kind.HASH));
  }

  private static Members hash(Call call) {
    return Members.of(call, 1, Kind.HASH);
  }

  private static void hset(Call call, boolean counts) {
    if (call.size() % 2 != 0) {
      throw ReplyException.arity(call.command().name());
    }
    Members hash = hash(call);
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

  private static void hsetnx(Call call) {
    Members hash = hash(call);
    boolean sets = !hash.has(call.arg(2));
    if (sets) {
      hash.put(call.arg(2), call.arg(3));
      hash.save();
    }
    call.reply().integer(sets ? 1 : 0);
  }

  private static void hget(Call call) {
    call.reply().bulk(hash(call).get(call.arg(2)));
  }

  private static void hmget(Call call) {
    Members hash = hash(call);
    call.reply().array(call.size() - 2);
    for (int i = 2; i < call.size(); i++) {
      call.reply().bulk(hash.get(call.arg(i)));
    }
  }

  private static void hgetall(Call call) {
    List<Member> all = hash(call).all();
    call.reply().map(all.size());
    all.forEach(each -> {
      call.reply().bulk(each.name());
      call.reply().bulk(each.value());
    });
  }

  private static void list(Call call, Function<Member, byte[]> part) {
    List<Member> all = hash(call).all();
    call.reply().array(all.size());
    all.forEach(each -> call.reply().bulk(part.apply(each)));
  }

  private static void hdel(Call call) {
    Members hash = hash(call);
    int removed = 0;
    for (int i = 2; i < call.size(); i++) {
      removed += hash.remove(call.arg(i)) ? 1 : 0;
    }
    hash.save();
    call.reply().integer(removed);
  }

  private static void hstrlen(Call call) {
    byte[] value = hash(call).get(call.arg(2));
    call.reply().integer(value == null ? 0 : value.length);
  }

  private static void hincrby(Call call) {
    long by = call.integer(3);
    Members hash = hash(call);
    byte[] before = hash.get(call.arg(2));
    long number = before == null ? 0 : Numbers.integer(before, "hash value is not an integer");
    byte[] sum = Numbers.bytes(Numbers.sum(number, by));
    hash.put(call.arg(2), sum);
    hash.save();
    call.reply().integer(number + by);
  }

  private static void hincrbyfloat(Call call) {
    if (Double.isInfinite(Numbers.real(call.arg(3)))) {
      throw ReplyException.error("value is NaN or Infinity");
    }
    Members hash = hash(call);
    byte[] before = hash.get(call.arg(2));
    if (before != null && !Numbers.isReal(before)) {
      throw ReplyException.error("hash value is not a float");
    }
    byte[] sum = Extended.sum(before == null ? new byte[] {'0'} : before, call.arg(3));
    hash.put(call.arg(2), sum);
    hash.save();
    call.reply().bulk(sum);
  }

  private static void hrandfield(Call call) {
    if (call.size() == 2) {
      call.reply().bulk(hash(call).random());
      return;
    }
    boolean values = call.size() == 4 && call.word(3).equals("withvalues");
    long count = count(call, 2, values ? 2 : 1);
    if (call.size() > 3 && !values) {
      throw ReplyException.syntax();
    }
    fields(call.reply(), hash(call).random(count), values);
  }

  /**
   * The requested number of random fields or members.
   *
   * @param words of the answer for each
   */
  static long count(Call call, int arg, int words) {
    long count = call.integer(arg);
    if (count == Long.MIN_VALUE) {
      throw ReplyException.error(
          "value is out of range, value must between %d and %d", -Long.MAX_VALUE, Long.MAX_VALUE);
    }
    if (count < -MOST_REPEATED || count > Long.MAX_VALUE / words) {
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
