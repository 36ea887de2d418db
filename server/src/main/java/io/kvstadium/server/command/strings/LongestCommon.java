package io.kvstadium.server.command.strings;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.transfer.redis.Kind;
import java.util.ArrayList;
import java.util.List;

/** LCS: the longest sequence of bytes that two strings have in common, in order, with gaps. */
public final class LongestCommon {
  /** The largest size of the table: 256 MB of numbers. */
  private static final long MAX = 64 << 20;

  /** Where both have the same run of bytes; from and to in each. */
  private record Match(int fromA, int toA, int fromB, int toB) {
    int length() {
      return toA - fromA + 1;
    }
  }

  private final byte[] a;
  private final byte[] b;
  private final int[][] lengths;
  private final byte[] common;
  private final List<Match> matches = new ArrayList<>();

  private LongestCommon(byte[] a, byte[] b) {
    this.a = a;
    this.b = b;
    lengths = new int[a.length + 1][b.length + 1];
    for (int i = 1; i <= a.length; i++) {
      for (int j = 1; j <= b.length; j++) {
        lengths[i][j] =
            a[i - 1] == b[j - 1]
                ? lengths[i - 1][j - 1] + 1
                : Math.max(lengths[i - 1][j], lengths[i][j - 1]);
      }
    }
    common = new byte[lengths[a.length][b.length]];
    follow();
  }

  /** Follows the table back from the ends of both. */
  private void follow() {
    int i = a.length;
    int j = b.length;
    int left = common.length;
    while (i > 0 && j > 0) {
      if (a[i - 1] == b[j - 1]) {
        int toA = i - 1;
        int toB = j - 1;
        while (i > 0 && j > 0 && a[i - 1] == b[j - 1]) {
          common[--left] = a[--i];
          j--;
        }
        matches.add(new Match(i, toA, j, toB));
      } else if (lengths[i - 1][j] > lengths[i][j - 1]) {
        i--;
      } else {
        j--;
      }
    }
  }

  public static void run(Call call) {
    byte[] a = string(call, 1);
    byte[] b = string(call, 2);
    boolean length = false;
    boolean indexes = false;
    boolean lengths = false;
    long min = 0;
    for (int i = 3; i < call.size(); i++) {
      switch (call.lowerCase(i)) {
        case "len" -> length = true;
        case "idx" -> indexes = true;
        case "withmatchlen" -> lengths = true;
        case "minmatchlen" -> {
          if (++i == call.size()) {
            throw ReplyException.syntax();
          }
          min = call.integer(i);
        }
        default -> throw ReplyException.syntax();
      }
    }
    if (length && indexes) {
      throw ReplyException.error("If you want both the length and indexes, please just use IDX.");
    }
    if ((a.length + 1L) * (b.length + 1L) > MAX) {
      throw ReplyException.error(
          "Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len");
    }
    LongestCommon found = new LongestCommon(a, b);
    if (length) {
      call.reply().integer(found.common.length);
    } else if (indexes) {
      found.answer(call.reply(), min, lengths);
    } else {
      call.reply().bulk(found.common);
    }
  }

  private static byte[] string(Call call, int arg) {
    StoredValue storedValue = call.keys().find(call.arg(arg));
    if (storedValue != null && storedValue.kind() != Kind.STRING) {
      throw ReplyException.error("The specified keys must contain string values");
    }
    return StringCommands.value(storedValue);
  }

  private void answer(ReplyWriter reply, long min, boolean withLengths) {
    List<Match> wanted = matches.stream().filter(each -> each.length() >= min).toList();
    reply.map(2);
    reply.bulk("matches");
    reply.array(wanted.size());
    for (Match match : wanted) {
      reply.array(withLengths ? 3 : 2);
      reply.array(2);
      reply.integer(match.fromA());
      reply.integer(match.toA());
      reply.array(2);
      reply.integer(match.fromB());
      reply.integer(match.toB());
      if (withLengths) {
        reply.integer(match.length());
      }
    }
    reply.bulk("len");
    reply.integer(common.length);
  }
}
