package io.kvstadium.server.command.hashes;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.command.Expiries;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.value.StoredHash;
import java.util.Set;
import java.util.function.ToLongFunction;

/** Commands on when fields of a hash expire: HEXPIRE and its relatives. */
final class FieldExpiryCommands {
  private static final long NO_FIELD = -2;
  private static final long NO_EXPIRY = -1;

  /** Times as in Redis, which has 46 bits for them since 7.4.1. */
  private static final long MAX = (1L << 46) - 1;

  private FieldExpiryCommands() {}

  static void expire(Call call, int unit, boolean relative) {
    StoredHash hash = HashCommands.hash(call);
    long number = call.integer(2);
    if (number < 0) {
      throw ReplyException.error("invalid expire time, must be >= 0");
    }
    long when = Expiries.at(call, number, unit, relative ? call.now() : 0);
    if (when > MAX) {
      throw Expiries.invalid(call);
    }
    Set<String> condition =
        Expiries.CONDITIONS.contains(call.lowerCase(3)) ? Set.of(call.lowerCase(3)) : Set.of();
    int first = first(call, 3 + condition.size(), "Parameter `numFields` should be greater than 0");
    boolean[] changed = {false};
    answer(
        call,
        first,
        hash,
        field -> {
          if (!Expiries.allows(condition, hash.expiry(field), when)) {
            return 0;
          }
          hash.expire(field, when);
          changed[0] = true;
          return when <= call.now() ? 2 : 1;
        });
    hash.save();
    if (changed[0]) {
      call.keys().notify(call.arg(1), when <= call.now() ? "hdel" : "hexpire");
    }
  }

  static void left(Call call, int unit, boolean relative) {
    StoredHash hash = HashCommands.hash(call);
    int first = first(call, 2, "Number of fields must be a positive integer");
    long base = relative ? call.now() : 0;
    answer(
        call,
        first,
        hash,
        field -> {
          long expiry = hash.expiry(field);
          return expiry == StoredValue.FOREVER ? NO_EXPIRY : Math.ceilDiv(expiry - base, unit);
        });
  }

  static void persist(Call call) {
    StoredHash hash = HashCommands.hash(call);
    int first = first(call, 2, "Number of fields must be a positive integer");
    answer(
        call,
        first,
        hash,
        field -> {
          if (hash.expiry(field) == StoredValue.FOREVER) {
            return NO_EXPIRY;
          }
          hash.expire(field, StoredValue.FOREVER);
          return 1;
        });
    hash.save();
  }

  /** The position of the first field, after FIELDS and their number. */
  private static int first(Call call, int at, String error) {
    if (!call.lowerCase(at).equals("fields")) {
      throw ReplyException.error(
          "Mandatory argument FIELDS is missing or not at the right position");
    }
    long count = at + 1 < call.size() ? Numbers.integer(call.arg(at + 1), error) : 0;
    if (count < 1 || count > Integer.MAX_VALUE) {
      throw ReplyException.error(error);
    }
    if (count != call.size() - at - 2) {
      throw ReplyException.error("The `numfields` parameter must match the number of arguments");
    }
    return at + 2;
  }

  private static void answer(
      Call call, int first, StoredHash hash, ToLongFunction<byte[]> ofPresent) {
    call.reply().array(call.size() - first);
    for (int i = first; i < call.size(); i++) {
      byte[] field = call.arg(i);
      call.reply().integer(hash.has(field) ? ofPresent.applyAsLong(field) : NO_FIELD);
    }
  }
}
