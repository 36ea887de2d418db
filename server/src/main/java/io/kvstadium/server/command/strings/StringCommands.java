package io.kvstadium.server.command.strings;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.command.Expiries;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.protocol.Extended;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.value.StoredString;
import io.kvstadium.transfer.redis.Decimal;
import io.kvstadium.transfer.redis.Kind;
import org.jspecify.annotations.Nullable;

/** Commands on strings. */
public final class StringCommands {
  private static final byte[] NOTHING = {};

  private StringCommands() {}

  static @Nullable StoredValue string(Call call, int arg) {
    return call.keys().find(call.arg(arg), Kind.STRING);
  }

  private static void answer(Call call, @Nullable StoredValue storedValue) {
    if (storedValue == null) {
      call.reply().nil();
    } else {
      call.reply().bulk(storedValue.bytes(), storedValue.offset(), storedValue.length());
    }
  }

  public static void get(Call call) {
    byte[] key = call.arg(1);
    StoredValue entry = call.keys().entry(key, Kind.STRING);
    if (entry != null && entry.inFragments()) { // without an array that holds all of it
      call.keys().consistently(same -> answer(call, StoredString.of(same, key)));
    } else {
      answer(call, entry);
    }
  }

  private static StoredString answer(Call call, StoredString string) {
    if (string.exists()) {
      call.reply().bulk((int) string.length(), out -> string.parts(out::writeBytes));
    } else {
      call.reply().nil();
    }
    return string;
  }

  public static void set(Call call) {
    boolean onlyNew = false;
    boolean onlyOld = false;
    boolean get = false;
    boolean keep = false;
    int time = 0; // the position of the option that says when it expires
    for (int i = 3; i < call.size(); i++) {
      String option = call.lowerCase(i);
      switch (option) {
        case "nx" -> onlyNew = true;
        case "xx" -> onlyOld = true;
        case "get" -> get = true;
        case "keepttl" -> keep = true;
        default -> time = timed(call, i++, time);
      }
    }
    if ((onlyNew && onlyOld) || (keep && time > 0)) {
      throw ReplyException.syntax();
    }
    long expiry =
        time == 0
            ? StoredValue.FOREVER
            : Expiries.of(call, call.lowerCase(time), call.arg(time + 1));
    boolean asks = onlyNew || onlyOld || keep; // otherwise the old value does not matter
    StoredValue before = get ? string(call, 1) : asks ? call.keys().head(call.arg(1)) : null;
    boolean sets = !asks || (before == null ? !onlyOld : !onlyNew);
    if (sets) {
      long kept = before != null && keep ? before.expiry() : expiry;
      put(call, StoredValue.string(call.arg(2), kept));
    }
    if (get) {
      answer(call, before);
    } else if (sets) {
      call.reply().ok();
    } else {
      call.reply().nil();
    }
  }

  /**
   * The position of an option that says when a key expires.
   *
   * @param before the position of the option before it, or 0; the last of the same name applies
   */
  private static int timed(Call call, int i, int before) {
    boolean fits = before == 0 || call.lowerCase(before).equals(call.lowerCase(i));
    if (!fits || !Expiries.OPTIONS.contains(call.lowerCase(i)) || i + 1 >= call.size()) {
      throw ReplyException.syntax();
    }
    return i;
  }

  /** Sets the first key; a time that has passed removes it. */
  private static void put(Call call, StoredValue storedValue) {
    if (storedValue.expiry() <= call.now()) {
      call.keys().remove(call.arg(1));
    } else {
      call.keys().set(call.arg(1), storedValue);
    }
  }

  public static void setnx(Call call) {
    boolean sets = call.keys().head(call.arg(1)) == null;
    if (sets) {
      call.keys().set(call.arg(1), StoredValue.string(call.arg(2)));
    }
    call.reply().integer(sets ? 1 : 0);
  }

  public static void setex(Call call, int unit) {
    long expiry = Expiries.of(call, unit == 1 ? "px" : "ex", call.arg(2));
    put(call, StoredValue.string(call.arg(3), expiry));
    call.reply().ok();
  }

  public static void getset(Call call) {
    answer(call, string(call, 1));
    call.keys().set(call.arg(1), StoredValue.string(call.arg(2)));
  }

  public static void getdel(Call call) {
    StoredValue storedValue = string(call, 1);
    answer(call, storedValue);
    if (storedValue != null) {
      call.keys().remove(call.arg(1));
    }
  }

  public static void getex(Call call) {
    boolean persist = false;
    int time = 0; // the position of the option that says when it expires
    for (int i = 2; i < call.size(); i++) {
      if (call.lowerCase(i).equals("persist")) {
        persist = true;
      } else {
        time = timed(call, i++, time);
      }
    }
    if (persist && time > 0) {
      throw ReplyException.syntax();
    }
    answer(call, string(call, 1));
    StoredValue storedValue = call.keys().entry(call.arg(1));
    if (storedValue == null || call.size() == 2) {
      return;
    }
    long expiry =
        persist ? StoredValue.FOREVER : Expiries.of(call, call.lowerCase(time), call.arg(time + 1));
    if (expiry != storedValue.expiry()) {
      put(call, storedValue.expiring(expiry));
    }
  }

  public static void mget(Call call) {
    call.reply().array(call.size() - 1);
    for (int i = 1; i < call.size(); i++) {
      StoredValue storedValue = call.keys().find(call.arg(i));
      answer(call, storedValue == null || storedValue.kind() != Kind.STRING ? null : storedValue);
    }
  }

  private static void pairs(Call call) {
    if (call.size() % 2 == 0) {
      throw ReplyException.arity(call.command().name());
    }
  }

  public static void mset(Call call) {
    pairs(call);
    for (int i = 1; i < call.size(); i += 2) {
      call.keys().set(call.arg(i), StoredValue.string(call.arg(i + 1)));
    }
    call.reply().ok();
  }

  public static void msetnx(Call call) {
    pairs(call);
    for (int i = 1; i < call.size(); i += 2) {
      if (call.keys().head(call.arg(i)) != null) {
        call.reply().integer(0);
        return;
      }
    }
    for (int i = 1; i < call.size(); i += 2) {
      call.keys().set(call.arg(i), StoredValue.string(call.arg(i + 1)));
    }
    call.reply().integer(1);
  }

  /** Sets a string that is derived from the old one and keeps its expiry. */
  static void replace(Call call, @Nullable StoredValue before, byte[] value) {
    call.keys()
        .set(
            call.arg(1),
            StoredValue.string(value, before == null ? StoredValue.FOREVER : before.expiry()));
  }

  static byte[] value(@Nullable StoredValue storedValue) {
    return storedValue == null ? new byte[0] : storedValue.value();
  }

  public static long length(Call call) {
    StoredValue storedValue = call.keys().string(call.arg(1), 0);
    return storedValue == null ? 0 : storedValue.length();
  }

  private static void allowed(Call call, long length) {
    if (length > call.server().clients().maxString()) {
      throw ReplyException.error("string exceeds maximum allowed size (proto-max-bulk-len)");
    }
  }

  public static void append(Call call) {
    StoredString string = StoredString.of(call.keys(), call.arg(1));
    byte[] more = call.arg(2);
    allowed(call, string.length() + more.length);
    string.put(string.length(), more);
    call.reply().integer(string.length());
  }

  /** GETRANGE. */
  public static void getrange(Call call) {
    long start = call.integer(2);
    long end = call.integer(3);
    long needed = start >= 0 && end >= 0 && end < Long.MAX_VALUE ? end + 1 : Long.MAX_VALUE;
    byte[] part =
        StoredString.read(
            call.keys(),
            call.arg(1),
            needed,
            string -> {
              long length = string.length();
              long from = Math.max(0, start < 0 ? length + start : start);
              long to = Math.min(length - 1, Math.max(0, end < 0 ? length + end : end));
              return from > to || (start < 0 && end < 0 && start > end)
                  ? NOTHING
                  : string.part(from, (int) (to - from + 1));
            });
    call.reply().bulk(part);
  }

  public static void setrange(Call call) {
    long offset = call.integer(2);
    if (offset < 0) {
      throw ReplyException.error("offset is out of range");
    }
    StoredString string = StoredString.of(call.keys(), call.arg(1));
    byte[] part = call.arg(3);
    if (part.length > 0) {
      allowed(call, Math.addExact(Math.min(offset, Integer.MAX_VALUE), part.length));
      string.put(offset, part);
    }
    call.reply().integer(string.length());
  }

  public static void decrby(Call call) {
    long by = call.integer(2);
    if (by == Long.MIN_VALUE) {
      throw ReplyException.error("decrement would overflow");
    }
    add(call, -by);
  }

  public static void add(Call call, long by) {
    StoredValue before = string(call, 1);
    long number = before == null ? 0 : Numbers.integer(before.value());
    long sum = Numbers.sum(number, by);
    replace(call, before, Decimal.bytes(sum));
    call.reply().integer(sum);
  }

  public static void incrbyfloat(Call call) {
    StoredValue before = string(call, 1);
    byte[] sum = Extended.sum(before == null ? new byte[] {'0'} : before.value(), call.arg(2));
    replace(call, before, sum);
    call.reply().bulk(sum);
  }
}
