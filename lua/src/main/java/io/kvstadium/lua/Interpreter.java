package io.kvstadium.lua;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts one after another, and keeps them compiled. It keeps nothing else from one to the
 * next: what scripts share they cannot change.
 */
public final class Interpreter implements AutoCloseable {
  /** What a chunk is, which says how messages name it and where it finds its arguments. */
  public enum Kind {
    SCRIPT("user_script", "KEYS", "ARGV"),
    FUNCTION("user_function", "FUNCTION_KEYS", "FUNCTION_ARGUMENTS");

    private final String label;
    private final String keys;
    private final String arguments;

    Kind(String label, String keys, String arguments) {
      this.label = label;
      this.keys = keys;
      this.arguments = arguments;
    }
  }

  /** Compiled scripts are for a part of the memory; sources are a measure of their size. */
  private static final int PART = 16;

  /** A script that is over leaves at most this beside what was there before. */
  private static final long REST = 4 << 20;

  private final State state;
  private final Redis redis;
  private final Json.Libraries json;
  private final SequencedMap<String, Compiled> compiled = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;
  private Kind kind = Kind.SCRIPT;
  private int line;

  /** A compiled script: a number of Lua's registry, and the length of its source. */
  private record Compiled(Kind kind, int reference, int length) {}

  private Interpreter(State state, Redis redis, Json.Libraries json) {
    this.state = state;
    this.redis = redis;
    this.json = json;
  }

  /**
   * Opens one.
   *
   * @param memory the most bytes that a script's values may take
   * @param pool what those of all scripts take together
   * @throws ScriptException if Lua cannot be had on this machine; it says what to do
   */
  public static Interpreter open(long memory, MemoryPool pool) {
    Map<String, Function> functions = new LinkedHashMap<>();
    Redis redis = new Redis();
    Json.Libraries json = new Json.Libraries();
    redis.define(functions);
    json.define(functions);
    Bits.define(functions);
    MessagePack.define(functions);
    Struct.define(functions);
    new Random().define(functions);
    functions.put("base.unpack", Interpreter::unpack);
    functions.put("check", Interpreter::check);
    functions.put("pattern", Interpreter::pattern);
    try {
      return new Interpreter(State.open(memory, pool, functions, prelude()), redis, json);
    } catch (LinkageError e) {
      Throwable cause = e;
      while (cause.getCause() != null && !(cause instanceof UnsatisfiedLinkError)) {
        cause = cause.getCause();
      }
      throw new ScriptException("ERR scripts cannot run: " + cause.getMessage(), false);
    }
  }

  private static byte[] prelude() {
    try (InputStream in = Interpreter.class.getResourceAsStream("prelude.lua")) {
      return Objects.requireNonNull(in).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int unpack(Stack stack) {
    stack.checkTable(1, "unpack");
    int from = stack.optInt(2, 1, "unpack");
    int to = stack.isMissing(3) ? (int) stack.length(1) : stack.checkInt(3, "unpack");
    long count = Math.max(0, (long) to - from + 1);
    if (count > State.MAX_VALUES - stack.top()) {
      throw new LuaError("too many results to unpack");
    }
    stack.reserve((int) count);
    for (int i = 0; i < count; i++) {
      stack.get(1, from + i);
    }
    stack.remove(1); // there must be a place for what goes before them
    return (int) count;
  }

  private static int check(Stack stack) {
    try {
      checkParameters(new Bytecode(stack.bytes(1)));
      return 0;
    } catch (ScriptException e) {
      stack.push(e.text());
      return 1;
    }
  }

  private static void checkParameters(Bytecode code) {
    if (code.maxParameters() > Memory.MAX_PARAMETERS) {
      throw new ScriptException(
          "a function with ... has at most %d named parameters".formatted(Memory.MAX_PARAMETERS),
          false);
    }
  }

  private static int pattern(Stack stack) {
    stack.push((double) Patterns.verdict(stack.bytes(1)));
    return 1;
  }

  /** The name of a script: its SHA-1 in lower-case hexadecimal digits. */
  public static String sha1(byte[] source, int offset) {
    return Redis.sha1(source, offset);
  }

  /**
   * Compiles a script, unless it was.
   *
   * @param name for {@link #run}
   * @param offset where Lua begins
   * @throws ScriptException if it is wrong
   */
  public void load(String name, byte[] source, int offset) {
    load(Kind.SCRIPT, name, source, offset);
  }

  /** The same for any kind. */
  public void load(Kind of, String name, byte[] source, int offset) {
    if (compiled.get(name) != null) {
      return;
    }
    state.load(source, offset, "@" + of.label);
    Stack stack = state.stack();
    Bytecode code = new Bytecode(state.dump());
    checkParameters(code);
    byte[] withLines = code.withLines();
    if (withLines != null) {
      stack.top(0);
      state.loadRaw(withLines, "@" + of.label);
    }
    int reference = state.reference();
    compiled.put(name, new Compiled(of, reference, source.length));
    bytes += source.length;
    while (bytes > state.memory().limit() / PART && compiled.size() > 1) {
      Compiled eldest = compiled.pollFirstEntry().getValue();
      bytes -= eldest.length();
      state.release(eldest.reference());
    }
    stack.top(0);
  }

  /**
   * Runs a script that was loaded last.
   *
   * @return what it returns, as {@link Results} describes
   * @throws ScriptException if it fails
   */
  public @Nullable Object run(String name, byte[][] keys, byte[][] arguments, Host host) {
    return run(name, name, keys, arguments, host);
  }

  /** The same under another name in messages. */
  public @Nullable Object run(
      String id, String name, byte[][] keys, byte[][] arguments, Host host) {
    Compiled script = Objects.requireNonNull(compiled.get(id));
    kind = script.kind();
    redis.begin(host);
    json.reset();
    line = 0;
    Stack stack = state.stack();
    try {
      for (Kind each : Kind.values()) {
        global(each.keys, each == kind ? keys : null);
        global(each.arguments, each == kind ? arguments : null);
      }
      int failed = state.run(script.reference(), host::check);
      ScriptException failure = failed == State.FAILED ? failure(name) : null;
      state.rethrow();
      if (failure != null) {
        throw failure;
      } else if (failed != 0) {
        throw new ScriptException(
            "ERR %s script: %s, on @%s:1.".formatted(broken(failed), name, kind.label), false);
      }
      return Results.of(stack, redis.resp3(), 0);
    } catch (LuaError e) { // of the results, or the arguments
      throw new ScriptException(
          "ERR %s script: %s, on @%s:1.".formatted(e.text(), name, kind.label), false);
    } finally {
      redis.end();
      stack.top(0);
      state.clean(REST);
    }
  }

  private String broken(int failed) {
    if (failed != State.NO_MEMORY) {
      return state.stack().text(-1);
    }
    return state.memory().poolLacks()
        ? "not enough memory: all scripts and clients take too much together"
        : "not enough memory: a script may use " + (state.memory().limit() >> 20) + " MB";
  }

  private void global(String name, byte @Nullable [][] words) {
    Stack stack = state.stack();
    state.environment();
    if (words == null) {
      stack.nil();
    } else {
      stack.table(words.length, 0);
      for (int i = 0; i < words.length; i++) {
        stack.push(words[i]);
        stack.set(-2, i + 1);
      }
    }
    stack.set(name);
    stack.pop(1);
  }

  /** The failure that is on top as a table of the prelude. */
  private ScriptException failure(String name) {
    Stack stack = state.stack();
    stack.get(-1, "line");
    line = stack.type(-1) == Stack.NUMBER ? (int) stack.number(-1) : 1;
    stack.get(-2, "source");
    String source = stack.isText(-1) ? stack.text(-1) : "@" + kind.label;
    stack.get(-3, "counted");
    boolean counted = stack.truth(-1);
    stack.get(-4, "err");
    String message = stack.isText(-1) ? stack.text(-1) : "ERR unknown error";
    return new ScriptException(
        "%s script: %s, on %s:%d.".formatted(message, name, source, line), counted);
  }

  /** Where the last script was when it ended. */
  public String position() {
    return kind.label + ":" + Math.max(1, line);
  }

  /** Whether it must be closed, since a script broke off in its middle. */
  public boolean isSpent() {
    return state.isSpent();
  }

  /** The scripts that are compiled. */
  List<String> names() {
    return new ArrayList<>(compiled.keySet());
  }

  /** The bytes that Lua uses. */
  public long used() {
    return state.memory().used();
  }

  @Override
  public void close() {
    state.close();
  }
}
