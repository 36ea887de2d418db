package io.kvstadium.cli.entries;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.codec.Codec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The text form of a {@link Codec#tuple} or a record, separated by commas; {@code \,} is a comma
 * inside a component, and {@code \\} a backslash.
 */
final class TupleTextCodec implements TextCodec {
  /** The length of the terminator after a component of variable length. */
  private static final int TERMINATOR = 2;

  private final String words;
  private final List<LibraryCodec<?>> parts;
  private final Codec<List<Object>> codec;

  /**
   * @param words for messages
   * @param parts at least two
   */
  TupleTextCodec(String words, List<LibraryCodec<?>> parts) {
    this.words = words;
    this.parts = List.copyOf(parts);
    codec = Codec.tuple(parts.stream().<Codec<?>>map(LibraryCodec::codec).toList());
  }

  @Override
  public byte[] encode(String text) {
    List<String> texts = split(text);
    if (texts.size() != parts.size()) {
      throw new BadArgumentException(
          "'"
              + text
              + "' has "
              + texts.size()
              + (texts.size() == 1 ? " component" : " components")
              + " but the codec "
              + words
              + " has "
              + parts.size()
              + ": separate them by commas, and write a comma inside one as \\,");
    }
    return codec.encode(values(texts));
  }

  @Override
  public String decode(byte[] bytes) {
    StringBuilder out = new StringBuilder();
    List<Object> values = codec.decode(bytes);
    for (int i = 0; i < parts.size(); i++) {
      String text = text(parts.get(i), values.get(i));
      out.append(i == 0 ? "" : ",").append(text.replace("\\", "\\\\").replace(",", "\\,"));
    }
    return out.toString();
  }

  @Override
  public Object json(byte[] bytes) {
    List<Object> json = new ArrayList<>();
    List<Object> values = codec.decode(bytes);
    for (int i = 0; i < parts.size(); i++) {
      json.add(json(parts.get(i), values.get(i)));
    }
    return json;
  }

  /** A component is complete if a comma follows it, or if its length is fixed. */
  @Override
  public byte[] prefix(String text) {
    List<String> texts = split(text);
    if (texts.size() > parts.size()) {
      return encode(text); // reports how many there should be
    }
    String last = texts.getLast();
    boolean open = last.isEmpty();
    List<String> given = open ? texts.subList(0, texts.size() - 1) : texts;
    if (given.isEmpty()) {
      return new byte[0];
    }
    List<Codec<?>> leading = new ArrayList<>();
    parts.subList(0, given.size()).forEach(part -> leading.add(part.codec()));
    boolean fixed = leading.getLast().length() >= 0;
    byte[] bytes = Codec.tuple(leading).encode(values(given));
    return open || fixed ? bytes : Arrays.copyOf(bytes, bytes.length - TERMINATOR);
  }

  private List<Object> values(List<String> texts) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      values.add(parts.get(i).parse(texts.get(i)));
    }
    return values;
  }

  /** Splits at commas that have no backslash before them, and removes escaping backslashes. */
  private static List<String> split(String text) {
    List<String> texts = new ArrayList<>();
    StringBuilder one = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length() && "\\,".indexOf(text.charAt(i + 1)) >= 0) {
        i++;
        one.append(text.charAt(i));
      } else if (c == ',') {
        texts.add(one.toString());
        one.setLength(0);
      } else {
        one.append(c);
      }
    }
    texts.add(one.toString());
    return texts;
  }

  @SuppressWarnings("unchecked") // the component was made by this codec
  private static <T> String text(LibraryCodec<T> part, Object value) {
    return part.printer().apply((T) value);
  }

  @SuppressWarnings("unchecked") // the same
  private static <T> Object json(LibraryCodec<T> part, Object value) {
    return part.json().apply((T) value);
  }
}
