package io.kvstadium.lua;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads what {@code string.dump} makes of a function, as Lua 5.1 lays it out on 64 bits. */
final class Bytecode {
  private static final int HEADER = 12;
  private static final int INSTRUCTION = 4;

  private final byte[] dump;
  private final ByteBuffer in;
  private final ByteArrayOutputStream stripped = new ByteArrayOutputStream();
  private int maxParameters;

  Bytecode(byte[] dump) {
    this.dump = dump;
    in = ByteBuffer.wrap(dump).order(ByteOrder.nativeOrder());
    skip(HEADER);
    function();
  }

  /** The same without names and lines. */
  byte[] stripped() {
    return stripped.toByteArray();
  }

  /** The most named parameters of a function that takes any number more. */
  int maxParameters() {
    return maxParameters;
  }

  private void skip(int bytes) {
    stripped.write(dump, in.position(), bytes);
    in.position(in.position() + bytes);
  }

  private int count() {
    int count = in.getInt(in.position());
    skip(Integer.BYTES);
    return count;
  }

  private void string() {
    long length = in.getLong(in.position());
    skip(Long.BYTES + Math.toIntExact(length));
  }

  private void function() {
    string(); // where it is from
    skip(2 * Integer.BYTES + 1);
    int parameters = in.get(in.position()) & 0xff;
    if (in.get(in.position() + 1) != 0) {
      maxParameters = Math.max(maxParameters, parameters);
    }
    skip(3);
    skip(INSTRUCTION * count());
    for (int left = count(); left > 0; left--) {
      constant();
    }
    for (int left = count(); left > 0; left--) {
      function();
    }
    names();
  }

  private void constant() {
    int type = in.get(in.position());
    skip(1);
    switch (type) {
      case Stack.NIL -> {}
      case Stack.BOOLEAN -> skip(1);
      case Stack.NUMBER -> skip(Double.BYTES);
      default -> string();
    }
  }

  private void names() {
    stripped.writeBytes(new byte[3 * Integer.BYTES]);
    pass((long) Integer.BYTES * in.getInt());
    for (int left = in.getInt(); left > 0; left--) {
      pass(in.getLong() + 2 * Integer.BYTES);
    }
    for (int left = in.getInt(); left > 0; left--) {
      pass(in.getLong());
    }
  }

  private void pass(long bytes) {
    in.position(Math.toIntExact(in.position() + bytes));
  }
}
