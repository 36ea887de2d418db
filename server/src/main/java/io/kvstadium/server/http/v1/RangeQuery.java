package io.kvstadium.server.http.v1;

import io.kvstadium.server.http.HttpException;
import io.kvstadium.store.Range;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The range given by the parameters of a request. */
public record RangeQuery(Range<byte[]> range) {
  public static final List<String> PARAMETERS =
      List.of("from", "to", "prefix", "limit", "reverse", "keys_only", "token");

  /** The prefix of tokens. */
  private static final String FORM = "k";

  public static RangeQuery of(Query query) {
    byte[] prefix = query.bytes("prefix");
    Range<byte[]> range = prefix == null ? Range.all() : Range.prefix(prefix);
    byte[] from = query.bytes("from");
    if (from != null && isAbove(from, range.from())) {
      range = range.from(from, true);
    }
    byte[] to = query.bytes("to");
    byte[] end = range.to();
    if (to != null && (end == null || Arrays.compareUnsigned(to, end) < 0)) {
      range = range.to(to, false);
    }
    boolean reverse = query.flag("reverse");
    byte[] token = query.bytes("token");
    if (token != null) {
      byte[] last = last(token);
      if (!range.contains(last)) {
        throw HttpException.badRequest("the token belongs to another range: repeat the parameters");
      }
      range = reverse ? range.to(last, false) : range.from(last, false);
    }
    if (reverse) {
      range = range.reverse();
    }
    return new RangeQuery(query.flag("keys_only") ? range.keysOnly() : range);
  }

  private static boolean isAbove(byte[] from, byte @Nullable [] lower) {
    return lower == null || Arrays.compareUnsigned(from, lower) > 0;
  }

  /** The token with which a later request continues after this key. */
  static String token(byte[] last) {
    return FORM + Base64.getUrlEncoder().withoutPadding().encodeToString(last);
  }

  private static byte[] last(byte[] token) {
    String text = new String(token, StandardCharsets.ISO_8859_1);
    try {
      if (text.startsWith(FORM)) {
        return Base64.getUrlDecoder().decode(text.substring(FORM.length()));
      }
    } catch (IllegalArgumentException e) {
      // reported below
    }
    throw HttpException.badRequest("this is not a token that this server gave out");
  }
}
