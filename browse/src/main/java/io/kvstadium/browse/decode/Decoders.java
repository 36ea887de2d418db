package io.kvstadium.browse.decode;

import io.kvstadium.browse.decode.Decoder.Input;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.codec.Codec;
import io.kvstadium.store.codec.ExpiringCodec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The decoders, and which of them fits. */
public final class Decoders {
  /** Fits everything. */
  public static final Decoder HEX = new Decoder("hex", true, Texts::hex);

  /** Of each value what fits it, where no decoder fits a whole table. */
  private static final Decoder AUTO =
      new Decoder("auto", false, input -> guess(List.of(input)).decode(input));

  /** In the order in which they are guessed: what is least likely to fit by chance comes first. */
  private static final List<Decoder> ALL = all();

  /** Components of tuples, as in {@code string,long}. */
  private static final Map<String, Codec<?>> COMPONENTS =
      Map.of(
          "string", Codec.STRING,
          "bytes", Codec.BYTES,
          "boolean", Codec.BOOLEAN,
          "int", Codec.INT,
          "long", Codec.LONG,
          "double", Codec.DOUBLE,
          "uuid", Codec.UUID,
          "instant", Codec.INSTANT);

  private Decoders() {}

  private static List<Decoder> all() {
    List<Decoder> all = new ArrayList<>();
    all.add(new Decoder("json", true, Documents::json));
    all.add(new Decoder("text", true, Texts::printable));
    all.add(new Decoder("java", true, JavaClasses::names));
    all.add(new Decoder("compressed", true, Compressed::magic));
    all.add(new Decoder("expiring", true, Decoders::expiring));
    all.add(new Decoder("checked", true, Decoders::checked));
    all.add(new Decoder("uuid", true, Numbers::uuid));
    all.add(new Decoder("time", true, Numbers::time));
    all.add(new Decoder("long", true, ordered(Codec.LONG)));
    all.add(new Decoder("int64-be", true, Numbers::smallBig));
    all.add(new Decoder("int64-le", true, Numbers::smallLittle));
    all.add(new Decoder("messagepack", true, Documents::messagePack));
    all.add(new Decoder("cbor", true, Documents::cbor));
    all.add(new Decoder("protobuf", true, Protobuf::text));
    all.add(new Decoder("utf-8", false, Texts::utf8));
    all.add(new Decoder("int", false, ordered(Codec.INT)));
    all.add(new Decoder("double", false, ordered(Codec.DOUBLE)));
    all.add(new Decoder("boolean", false, ordered(Codec.BOOLEAN)));
    all.add(new Decoder("instant", false, ordered(Codec.INSTANT)));
    all.addAll(Numbers.plain());
    all.add(new Decoder("snappy-raw", false, Compressed::rawSnappy));
    all.add(new Decoder("lz4-raw", false, Compressed::rawLz4));
    all.add(HEX);
    all.add(AUTO);
    return List.copyOf(all);
  }

  /** What the library's codec of that name puts around a value. */
  private static @Nullable String expiring(Input input) {
    byte[] bytes = input.bytes();
    if (!input.opens() || bytes.length < Long.BYTES || (bytes[0] & 0xff) != 0xee) {
      return null;
    }
    long due = ExpiringCodec.due(bytes);
    String when =
        due == ExpiringCodec.LAST ? "never expires" : "expires " + Instant.ofEpochMilli(due);
    return input.content(
        when, Arrays.copyOfRange(bytes, Long.BYTES, bytes.length), input.complete());
  }

  private static @Nullable String checked(Input input) {
    return input.opens() && input.complete()
        ? input.content("checksum fits", Codec.checked(Codec.BYTES).decode(input.bytes()), true)
        : null;
  }

  private static Decoder.Format ordered(Codec<?> codec) {
    return input -> {
      if (input.bytes().length != codec.length() && codec.length() >= 0) {
        return null;
      }
      Object value = codec.decode(input.bytes());
      // in order-preserving form, small numbers begin with 0x80 or, if negative, with 0x7f
      return value instanceof Long number && Math.abs(number) > 1L << 53 ? null : value.toString();
    };
  }

  /** Their names, and how a tuple is written. */
  public static List<String> names() {
    return ALL.stream().map(Decoder::name).toList();
  }

  /**
   * The decoder of this name; several components, as in {@code string,long}, are a tuple.
   *
   * @throws BadArgumentException if there is none
   */
  public static Decoder named(String name) {
    if (name.contains(",")) {
      return tuple(name);
    }
    return ALL.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new BadArgumentException(
                "there is no decoder '"
                    + name
                    + "'; there are: "
                    + String.join(", ", names())
                    + ", and tuples such as string,long of: "
                    + COMPONENTS.keySet().stream().sorted().collect(Collectors.joining(", "))));
  }

  private static Decoder tuple(String names) {
    List<Codec<?>> codecs = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      Codec<?> codec = COMPONENTS.get(name.strip());
      if (codec == null) {
        throw new BadArgumentException(
            "'"
                + name
                + "' is no component of a tuple: use "
                + COMPONENTS.keySet().stream().sorted().collect(Collectors.joining(", ")));
      }
      codecs.add(codec);
    }
    Codec<List<Object>> codec = Codec.tuple(codecs);
    return new Decoder(
        names,
        false,
        input -> {
          try {
            return codec.decode(input.bytes()).stream()
                .map(each -> each instanceof byte[] bytes ? Texts.hex(bytes) : each.toString())
                .collect(Collectors.joining(" | "));
          } catch (StadiumException e) {
            return null;
          }
        });
  }

  /** The decoder of a table with such values. */
  public static Decoder ofTable(List<Input> samples) {
    Decoder decoder = guess(samples);
    return decoder.equals(HEX) ? AUTO : decoder;
  }

  /** The first decoder that fits nearly all of these. */
  public static Decoder guess(List<Input> samples) {
    return ALL.stream()
        .filter(Decoder::guessed)
        .filter(each -> {
          long fits = samples.stream().filter(sample -> each.decode(sample) != null).count();
          return fits > 0 && fits * 20 >= samples.size() * 19L;
        })
        .findFirst()
        .orElse(HEX);
  }

  /** The text by this decoder, or by the first that fits where it does not. */
  public static Decoded decode(Decoder decoder, Input input) {
    String text = decoder.equals(AUTO) ? null : decoder.decode(input);
    if (text != null) {
      return new Decoded(decoder.name(), text);
    }
    Decoder other = guess(List.of(input));
    return new Decoded(other.name(), Objects.requireNonNullElse(other.decode(input), ""));
  }

  /**
   * Bytes as text.
   *
   * @param by the decoder that it is of
   */
  public record Decoded(String by, String text) {}

  /** Bytes that begin like this. */
  static boolean starts(byte[] bytes, int... first) {
    return bytes.length >= first.length
        && Arrays.equals(Arrays.copyOf(bytes, first.length), toBytes(first));
  }

  private static byte[] toBytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }
}
