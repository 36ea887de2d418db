package io.kvstadium.cli.trace;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.codec.Codec;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A key as its user knows it: text, or a tuple of texts, whose components are its columns. */
final class KeyText {
  private static final int MAX_COMPONENTS = 8;

  private KeyText() {}

  /** The text, components separated by commas; {@code null} if it is neither. */
  static @Nullable String of(byte[] key) {
    String whole = text(key);
    if (whole != null) {
      return whole;
    }
    for (int n = 2; n <= MAX_COMPONENTS; n++) {
      List<Codec<?>> parts = new ArrayList<>();
      for (int i = 0; i < n; i++) {
        parts.add(Codec.STRING);
      }
      String tuple = tuple(key, Codec.tuple(parts));
      if (tuple != null) {
        return tuple;
      }
    }
    return null;
  }

  private static @Nullable String tuple(byte[] key, Codec<List<Object>> codec) {
    List<Object> values;
    try {
      values = codec.decode(key);
    } catch (CorruptException e) {
      return null; // not so many components
    }
    boolean printable =
        values.stream().allMatch(each -> isPrintable((String) each)) // else these are no texts
            && Arrays.equals(codec.encode(values), key);
    return printable ? String.join(",", values.stream().map(String.class::cast).toList()) : null;
  }

  private static @Nullable String text(byte[] key) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString();
      return isPrintable(text) ? text : null;
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static boolean isPrintable(String text) {
    return !text.isBlank()
        && text.codePoints()
            .allMatch(each -> Character.isDefined(each) && !Character.isISOControl(each));
  }
}
