package io.kvstadium.lua;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs scripts for a host that answers each command with the same reply. */
final class Scripts implements AutoCloseable {
  /** Ends a script. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  private final long memory;
  private final MemoryPool pool;
  private Interpreter interpreter;
  private String reply = "+OK\r\n";
  private long checks = Long.MAX_VALUE;

  Scripts(long memory) {
    this(memory, MemoryPool.UNBOUNDED);
  }

  Scripts(long memory, MemoryPool pool) {
    this.memory = memory;
    this.pool = pool;
    interpreter = Interpreter.open(memory, pool);
  }

  /** What each command is answered from now on. */
  Scripts replying(String text) {
    reply = text;
    return this;
  }

  /** Each script is ended when it was looked at so often. */
  Scripts endingAfter(long count) {
    checks = count;
    return this;
  }

  Interpreter interpreter() {
    return interpreter;
  }

  /** What a script returns, whose bytes are those of its characters. */
  @Nullable Object run(String script, String... arguments) {
    byte[] source = script.getBytes(StandardCharsets.ISO_8859_1);
    byte[][] words = new byte[arguments.length][];
    for (int i = 0; i < words.length; i++) {
      words[i] = arguments[i].getBytes(StandardCharsets.ISO_8859_1);
    }
    String name = Interpreter.sha1(source, 0);
    try {
      interpreter.load(name, source, 0);
      return readable(interpreter.run(name, new byte[0][], words, new Answering()));
    } finally {
      if (interpreter.isSpent()) {
        interpreter.close();
        interpreter = Interpreter.open(memory, pool);
      }
    }
  }

  private static @Nullable Object readable(@Nullable Object value) {
    if (value instanceof byte[] text) {
      return new String(text, StandardCharsets.ISO_8859_1);
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> all = new ArrayList<>();
      list.forEach(each -> all.add(readable(each)));
      return all;
    }
    return value;
  }

  @Override
  public void close() {
    interpreter.close();
  }

  private final class Answering implements Host {
    private long left = checks;

    @Override
    public ByteBuffer call(byte[][] request, int protocol) {
      return ByteBuffer.wrap(reply.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public boolean allows(byte[][] request) {
      return true;
    }

    @Override
    public void log(int level, String message) {}

    @Override
    public void check() {
      if (left-- == 0) {
        throw new Killed();
      }
    }
  }
}
