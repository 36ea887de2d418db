package io.kvstadium.server.value;

import io.kvstadium.server.protocol.ReplyWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** A member of a sorted set, with its score. Ordered as in the set. */
@SuppressWarnings("ArrayRecordComponent") // members are arrays throughout; never compared
public record Scored(byte[] member, double score) implements Comparable<Scored> {
  @Override
  public int compareTo(Scored other) {
    int order = Double.compare(score, other.score);
    return order != 0 ? order : Arrays.compareUnsigned(member, other.member);
  }

  /** A score as 8 bytes whose order as unsigned numbers is that of the scores; -0 is 0. */
  static long sortable(double score) {
    long bits = Double.doubleToLongBits(score + 0.0);
    return bits ^ (bits >> 63 | Long.MIN_VALUE);
  }

  public static byte[] bytes(double score) {
    return ByteBuffer.allocate(8).putLong(sortable(score)).array();
  }

  /** The score in these bytes. */
  public static double score(byte[] bytes, int at) {
    long sortable = ByteBuffer.wrap(bytes).getLong(at);
    return Double.longBitsToDouble(sortable ^ (~sortable >> 63 | Long.MIN_VALUE));
  }

  /** Answers with members only. */
  public static void members(ReplyWriter reply, List<Scored> entries) {
    reply.array(entries.size());
    entries.forEach(entry -> reply.bulk(entry.member()));
  }

  /** Answers with pairs: arrays in RESP3, or wherever they are {@code nested}. */
  public static void pairs(ReplyWriter reply, List<Scored> entries, boolean nested) {
    boolean arrays = nested || reply.isResp3();
    reply.array(arrays ? entries.size() : 2 * entries.size());
    for (Scored entry : entries) {
      if (arrays) {
        reply.array(2);
      }
      reply.bulk(entry.member());
      reply.real(entry.score());
    }
  }
}
