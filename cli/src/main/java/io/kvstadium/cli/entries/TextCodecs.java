package io.kvstadium.cli.entries;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.internal.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The codecs of the command line by name. */
public final class TextCodecs {
  /** Any bytes: as text where they are text, otherwise in hex as {@code 0x00ff}. */
  public static final TextCodec AUTO = new AutoCodec();

  private static final Map<String, TextCodec> ALL = all();

  private TextCodecs() {}

  /**
   * Returns the codec of this name, or, for several names separated by commas, one for what {@link
   * Codec#tuple} makes.
   *
   * @throws BadArgumentException if there is no such codec
   */
  public static TextCodec of(String words) {
    if (!words.contains(",")) {
      TextCodec codec = ALL.get(words.toLowerCase(Locale.ROOT));
      if (codec == null) {
        throw new BadArgumentException(
            "unknown codec '"
                + words
                + "'"
                + Nearest.hint(words, ALL.keySet())
                + "; there are: "
                + String.join(", ", ALL.keySet())
                + ", and several of them, as in string,long");
      }
      return codec;
    }
    List<LibraryCodec<?>> parts = new ArrayList<>();
    for (String word : words.split(",", -1)) {
      if (!(of(word) instanceof LibraryCodec<?> part)) {
        throw new BadArgumentException(
            "'" + word + "' in '" + words + "' cannot be one of several: use string or hex");
      }
      parts.add(part);
    }
    return new TupleTextCodec(words, parts);
  }

  private static Map<String, TextCodec> all() {
    Map<String, TextCodec> all = new LinkedHashMap<>();
    all.put("auto", AUTO);
    all.put("json", new JsonCodec());
    for (LibraryCodec<?> codec :
        List.of(
            LibraryCodec.STRING,
            LibraryCodec.HEX,
            LibraryCodec.BASE64,
            LibraryCodec.BOOLEAN,
            number("int", Codec.INT, Integer::valueOf, "-5"),
            number("long", Codec.LONG, Long::valueOf, "-5"),
            number("double", Codec.DOUBLE, Double::valueOf, "0.5"),
            LibraryCodec.UUID)) {
      all.put(codec.word(), codec);
    }
    return all;
  }

  private static <T extends Number> LibraryCodec<T> number(
      String word, Codec<T> codec, Function<String, T> parser, String example) {
    return new LibraryCodec<>(word, codec, parser, String::valueOf, number -> number, example);
  }
}
