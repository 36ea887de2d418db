package io.kvstadium.browse.decode;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shows bytes as text.
 *
 * @param name what the user chooses it by
 * @param guessed whether a table's decoder may be guessed to be this one
 * @param format how it reads bytes
 */
public record Decoder(String name, boolean guessed, Format format) {
  /** How a decoder reads bytes. */
  @FunctionalInterface
  public interface Format {
    /** The text, or {@code null} if the bytes are not in this format. */
    @Nullable String decode(Input input);
  }

  /**
   * What is decoded.
   *
   * @param bytes the value, or its beginning
   * @param complete whether these are all of its bytes
   * @param indented whether the text may have many lines
   * @param depth how many others it was in
   */
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  public record Input(byte[] bytes, boolean complete, boolean indented, int depth) {
    private static final int MAX_DEPTH = 3;

    public Input(byte[] bytes, boolean complete, boolean indented) {
      this(bytes, complete, indented, 0);
    }

    /** Whether what is in it is looked at: some archives have themselves in them. */
    boolean opens() {
      return depth < MAX_DEPTH;
    }

    /** What is in it, as it is guessed to be. */
    String content(String around, byte[] inner, boolean whole) {
      Input content = new Input(inner, whole, indented, depth + 1);
      Decoder decoder = Decoders.guess(List.of(content));
      return around + ", " + decoder.name() + (indented ? "\n" : ": ") + decoder.decode(content);
    }
  }

  /** The text, or {@code null}; whatever a format throws at hostile bytes means that, too. */
  public @Nullable String decode(Input input) {
    try {
      return format.decode(input);
    } catch (RuntimeException e) { // libraries throw all kinds of them at what is not theirs
      return null;
    }
  }
}
