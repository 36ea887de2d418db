package io.kvstadium.server.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes replies in the protocol that a connection has chosen: RESP2, or RESP3 where that differs.
 * Belongs to one thread at a time.
 */
public final class ReplyWriter {
  private static final byte[] OK = ascii("+OK\r\n");
  private static final byte[] NIL_2 = ascii("$-1\r\n");
  private static final byte[] NIL_ARRAY_2 = ascii("*-1\r\n");
  private static final byte[] NIL_3 = ascii("_\r\n");

  private static final int STEP = 64 << 10;

  private final ByteBuf out;
  private final int limit;
  private final LongConsumer growth;
  private int protocol;
  private int reported;

  /**
   * Appends to a buffer.
   *
   * @param protocol 2 or 3
   * @param limit its most bytes
   * @param growth receives the size of a reply every 64 kB; may throw to end it
   */
  public ReplyWriter(ByteBuf out, int protocol, int limit, LongConsumer growth) {
    this.growth = growth;
    this.out = out;
    this.protocol = protocol;
    this.limit = limit;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  public ByteBuf buffer() {
    return out;
  }

  public void protocol(int version) {
    protocol = version;
  }

  public boolean isResp3() {
    return protocol == 3;
  }

  /** Where the next reply begins. */
  public int mark() {
    return out.writerIndex();
  }

  /** Discards what was written since a mark. */
  public void reset(int mark) {
    out.writerIndex(mark);
  }

  public void ok() {
    out.writeBytes(OK);
  }

  public void simple(String text) {
    line('+', text);
  }

  public void error(String text) {
    // a reply is one line, whatever a key in it may hold
    line('-', text.replace('\r', ' ').replace('\n', ' '));
  }

  private void line(char type, String text) {
    out.writeByte(type);
    out.writeCharSequence(text, StandardCharsets.UTF_8);
    end();
  }

  private void end() {
    out.writeShort('\r' << 8 | '\n');
  }

  public void integer(long value) {
    out.writeByte(':');
    digits(value);
    end();
  }

  public void bulk(byte @Nullable [] value) {
    if (value == null) {
      nil();
    } else {
      bulk(value, 0, value.length);
    }
  }

  public void bulk(byte[] value, int offset, int length) {
    begin(length);
    out.writeBytes(value, offset, length);
    end();
  }

  /**
   * Text in parts.
   *
   * @param length of all of it in bytes
   * @param content writes as many
   */
  public void bulk(int length, Consumer<ByteBuf> content) {
    begin(length);
    out.ensureWritable(length + 2);
    int from = out.writerIndex();
    content.accept(out);
    if (out.writerIndex() - from != length) {
      throw new IllegalStateException("a text of another length");
    }
    end();
  }

  private void begin(int length) {
    int size = out.readableBytes();
    if (size > limit - length) {
      throw ReplyException.error("the reply is larger than %d bytes: ask for less", limit);
    }
    if (size + length > reported + STEP) {
      growth.accept(size + length);
      reported = size + length; // not if that was refused
    }
    head('$', length);
  }

  public void bulk(String text) {
    bulk(text.getBytes(StandardCharsets.UTF_8));
  }

  public void nil() {
    out.writeBytes(isResp3() ? NIL_3 : NIL_2);
  }

  public void nilArray() {
    out.writeBytes(isResp3() ? NIL_3 : NIL_ARRAY_2);
  }

  /** The given number of replies follows. */
  public void array(int size) {
    head('*', size);
  }

  /** The given number of pairs follows. */
  public void map(int pairs) {
    if (isResp3()) {
      head('%', pairs);
    } else {
      head('*', 2 * pairs);
    }
  }

  public void set(int size) {
    head(isResp3() ? '~' : '*', size);
  }

  /** A message that answers no request. */
  public void push(int size) {
    head(isResp3() ? '>' : '*', size);
  }

  public void bool(boolean value) {
    if (isResp3()) {
      line('#', value ? "t" : "f");
    } else {
      integer(value ? 1 : 0);
    }
  }

  public void real(double value) {
    if (isResp3()) {
      line(',', Numbers.text(value));
    } else {
      bulk(Numbers.text(value));
    }
  }

  /** A number that is already formatted. */
  public void decimal(String digits) {
    if (isResp3()) {
      line(',', digits);
    } else {
      bulk(digits);
    }
  }

  /** An integer of any length. */
  public void bigNumber(String digits) {
    if (isResp3()) {
      line('(', digits);
    } else {
      bulk(digits);
    }
  }

  /** Text for people. */
  public void text(String text) {
    verbatim("txt", text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Text to be shown as it is.
   *
   * @param format three letters
   */
  public void verbatim(String format, byte[] text) {
    if (isResp3()) {
      head('=', text.length + 4);
      out.writeBytes(ascii(format + ":"));
      out.writeBytes(text);
      end();
    } else {
      bulk(text);
    }
  }

  private void head(char type, int size) {
    out.writeByte(type);
    digits(size);
    end();
  }

  private void digits(long value) {
    if (value < 0 || value > 999_999_999) {
      out.writeCharSequence(Long.toString(value), StandardCharsets.US_ASCII);
      return;
    }
    int number = (int) value;
    int unit = 1;
    while (number / unit >= 10) {
      unit *= 10;
    }
    for (; unit > 0; unit /= 10) {
      out.writeByte('0' + number / unit % 10);
    }
  }

  /** How many bytes have been written. */
  public int size() {
    return out.readableBytes();
  }
}
