package io.kvstadium.server.command;

import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.transfer.redis.Decimal;
import io.kvstadium.transfer.redis.Kind;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a command such as {@code LMPOP 2 a b LEFT COUNT 3}.
 *
 * @param keys to be tried in this order
 * @param low whether from the left end, or the least ones
 * @param max how many at most
 */
public record ManyPop(List<byte[]> keys, boolean low, long max) {
  /**
   * Reads the request.
   *
   * @param at the position of the number of keys
   */
  public static ManyPop of(Call call, int at, String low, String high) {
    long count = Decimal.integer(call.arg(at), -1);
    if (count < 1) {
      throw ReplyException.error("numkeys should be greater than 0");
    }
    if (count >= call.size() - at - 1) {
      throw ReplyException.syntax();
    }
    int where = at + 1 + (int) count;
    boolean isLow = call.lowerCase(where).equals(low);
    if (!isLow && !call.lowerCase(where).equals(high)) {
      throw ReplyException.syntax();
    }
    boolean counted = call.size() > where + 2 && call.lowerCase(where + 1).equals("count");
    long max = counted ? Decimal.integer(call.arg(where + 2), -1) : 1;
    if (max < 1) {
      throw ReplyException.error("count should be greater than 0");
    }
    if (call.size() > where + (counted ? 3 : 1)) {
      throw ReplyException.syntax();
    }
    return new ManyPop(Arrays.asList(call.request()).subList(at + 1, where), isLow, max);
  }

  /** The first key that holds something, or {@code null}. */
  public byte @Nullable [] firstOf(Call call, Kind kind) {
    for (byte[] key : keys) {
      if (call.keys().find(key, kind) != null) {
        return key;
      }
    }
    return null;
  }
}
