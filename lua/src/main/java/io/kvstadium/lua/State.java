package io.kvstadium.lua;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A state of Lua.
 *
 * <p>Frames of Java must never be jumped over, as Lua's errors do. So Lua calls Java only by {@link
 * Memory#allocate}, {@link #hook} and {@link #dispatch}, which throw nothing and call nothing that
 * does; what they want to raise is raised by Lua when they have returned.
 */
final class State implements AutoCloseable {
  /** Results of {@link #run}. */
  static final int FAILED = 2;

  static final int NO_MEMORY = 4;

  /** The most values that a function of C has on its stack. */
  static final int MAX_VALUES = 8_000;

  /** Instructions between two checks: some microseconds, but for those that call C. */
  private static final int STEP = 1_000;

  /** Calls of Java between two checks, which take longer than instructions. */
  private static final int CALLS = 64;

  private static final int COUNT = 8;
  private static final int COLLECT = 2;

  /** Places of the registry; higher ones are scripts. */
  private static final int FRONT = 1;

  private static final int ENVIRONMENT = 2;
  private static final int WRAPS = 3;
  private static final int SERVES = 4;
  private static final int HANDLER = 5;
  private static final int DYING = 6;
  private static final int DUMP = 7;
  private static final int FIRST_SCRIPT = 8;

  private final Arena arena = Arena.ofShared();
  private final Memory memory;
  private final Stack stack;
  private final List<String> names;
  private final List<Function> functions;
  private final long main;
  private final long hook;

  /** A function of C that raises an error if it is called as a hook, whose text is meaningless. */
  private final long raise = Natives.address("luaL_error");

  private final List<Integer> free = new ArrayList<>();
  private int next = FIRST_SCRIPT;
  private @Nullable Runnable check;
  private @Nullable Throwable pending;
  private boolean running;
  private int calls;
  private boolean spent;
  private long base;

  private State(long limit, MemoryPool pool, Map<String, Function> defined) throws Throwable {
    memory = new Memory(limit, pool);
    stack = new Stack(memory, arena);
    Map<String, Function> all = new LinkedHashMap<>(defined);
    all.put(
        "ending",
        on -> {
          on.push(pending != null);
          return 1;
        });
    names = List.copyOf(all.keySet());
    functions = List.copyOf(all.values());
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    long allocator =
        stub(
            lookup
                .findVirtual(
                    Memory.class,
                    "allocate",
                    MethodType.methodType(
                        long.class, long.class, long.class, long.class, long.class))
                .bindTo(memory),
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    hook =
        stub(
            lookup.bind(this, "hook", MethodType.methodType(void.class, long.class, long.class)),
            FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));
    main = (long) Natives.NEW_STATE.invokeExact(allocator, 0L);
    if (main == 0) {
      throw new OutOfMemoryError("no memory for a state of Lua");
    }
    stack.state(main);
  }

  private long stub(MethodHandle function, FunctionDescriptor descriptor) {
    return Linker.nativeLinker().upcallStub(function, descriptor, arena).address();
  }

  /** Opens one, with what a prelude makes of Lua's libraries and of functions. */
  static State open(long limit, MemoryPool pool, Map<String, Function> functions, byte[] prelude) {
    try {
      State state = new State(limit, pool, functions);
      try {
        state.prepare(prelude);
        return state;
      } catch (Throwable e) {
        state.close();
        throw e;
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a state of Lua does not open", e);
    }
  }

  private void prepare(byte[] prelude) throws Throwable {
    for (String library : List.of("base", "table", "string", "math", "debug")) {
      closure(Natives.address("luaopen_" + library), 0);
      call(0, 0, 0);
    }
    load(prelude, 0, "=prelude");
    stack.get(Stack.GLOBALS, "string");
    stack.get(-1, "dump");
    stack.copy(1);
    call(1, 1, 0);
    byte[] dump = stack.bytes(-1);
    stack.get(2, "dump");
    stack.set(Stack.REGISTRY, DUMP);
    stack.top(0);
    loadRaw(new Bytecode(dump).stripped(), "=prelude");
    arguments();
    call(6, 5, 0);
    for (int place = HANDLER; place >= FRONT; place--) {
      stack.set(Stack.REGISTRY, place);
    }
    stack.get(Stack.REGISTRY, FRONT);
    stack.replace(Stack.GLOBALS);
    setHook(main, hook, STEP);
    collect(main);
    base = memory.used();
  }

  /** Pushes the prelude's. */
  private void arguments() throws Throwable {
    long dispatch =
        stub(
            MethodHandles.lookup()
                .bind(this, "dispatch", MethodType.methodType(int.class, long.class)),
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
    stack.reserve(10);
    stack.table(0, names.size());
    stack.table(names.size(), 0);
    int known = 0;
    for (int i = 0; i < names.size(); i++) {
      stack.push((double) i);
      closure(dispatch, 1);
      stack.push(names.get(i));
      stack.insert(-2);
      stack.set(-4);
    }
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).indexOf('.') > 0) {
        stack.push(names.get(i));
        stack.set(-2, ++known);
      }
    }
    closure(Natives.address("lua_error"), 0);
    stack.push(Redis.VERSION);
    stack.push((double) Redis.VERSION_NUMBER);
    stack.pushPointer(0);
  }

  private void closure(long function, int values) throws Throwable {
    Natives.PUSH_CLOSURE.invokeExact(stack.state(), function, values);
  }

  private void setHook(long thread, long function, int count) throws Throwable {
    Natives.SET_HOOK.invokeExact(thread, function, COUNT, count);
  }

  private void call(int arguments, int results, int handler) throws Throwable {
    int status = (int) Natives.CALL.invokeExact(stack.state(), arguments, results, handler);
    if (status != 0) {
      throw new IllegalStateException("Lua: " + stack.text(-1));
    }
  }

  Stack stack() {
    return stack;
  }

  Memory memory() {
    return memory;
  }

  boolean isSpent() {
    return spent;
  }

  /** Pushes the table of globals. */
  void environment() {
    stack.get(Stack.REGISTRY, ENVIRONMENT);
  }

  /**
   * Compiles a text, and pushes the function.
   *
   * @throws ScriptException if it is wrong
   */
  void load(byte[] source, int offset, String name) {
    int from = offset;
    byte[] text = source;
    if (offset < source.length && source[offset] == 27) { // no bytecode
      text = new byte[source.length - offset + 1];
      text[0] = ' ';
      System.arraycopy(source, offset, text, 1, source.length - offset);
      from = 0;
    }
    loadRaw(from == 0 ? text : java.util.Arrays.copyOfRange(text, from, text.length), name);
  }

  /** The same of a text or of bytecode, which must be Lua's own. */
  void loadRaw(byte[] chunk, String name) {
    int status;
    try (Arena shortly = Arena.ofConfined()) {
      MemorySegment copy = shortly.allocate(chunk.length + 1L);
      MemorySegment.copy(MemorySegment.ofArray(chunk), 0, copy, 0, chunk.length);
      MemorySegment label = shortly.allocateFrom(name);
      status =
          (int)
              Natives.LOAD_BUFFER.invokeExact(
                  stack.state(), copy.address(), (long) chunk.length, label.address());
    } catch (Throwable e) {
      throw new IllegalStateException("a call of Lua failed", e);
    }
    if (status != 0) {
      String message = stack.text(-1);
      stack.top(0);
      throw new ScriptException(message, false);
    }
  }

  /** What {@code string.dump} makes of the function on top. */
  byte[] dump() {
    try {
      stack.get(Stack.REGISTRY, DUMP);
      stack.copy(-2);
      call(1, 1, 0);
      byte[] dump = stack.bytes(-1);
      stack.pop(1);
      return dump;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a call of Lua failed", e);
    }
  }

  /** Keeps the function on top, and takes it. */
  int reference() {
    int reference = free.isEmpty() ? next++ : free.removeLast();
    stack.set(Stack.REGISTRY, reference);
    return reference;
  }

  void release(int reference) {
    stack.nil();
    stack.set(Stack.REGISTRY, reference);
    free.add(reference);
  }

  /**
   * Runs a function, and pushes its result or its error.
   *
   * @param now called again and again while it runs; what it throws ends the function, whatever
   *     that catches, and is thrown by {@link #rethrow}
   * @return 0 or the error of Lua
   */
  int run(int reference, Runnable now) {
    check = now;
    stack.get(Stack.REGISTRY, HANDLER);
    stack.get(Stack.REGISTRY, reference);
    int status;
    try {
      memory.limited(true);
      running = true;
      status = (int) Natives.CALL.invokeExact(main, 0, 1, stack.top() - 1);
    } catch (Throwable e) {
      throw new IllegalStateException("a call of Lua failed", e);
    } finally {
      running = false;
      memory.limited(false);
      check = null;
    }
    spent |= memory.exhausted();
    return status;
  }

  /** Throws what ended the last run, if it was not Lua. */
  void rethrow() {
    switch (pending) {
      case null -> {}
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      default -> throw new IllegalStateException(pending);
    }
  }

  /** After a script: gives back what it left. */
  void clean(long rest) {
    if (!spent && memory.used() > base + rest) {
      collect(main);
      base = Math.max(base, memory.used());
      spent = memory.isTight();
    }
  }

  private void collect(long thread) {
    try {
      int _ = (int) Natives.GC.invokeExact(thread, COLLECT, 0);
      memory.collected();
    } catch (Throwable e) {
      throw new IllegalStateException("a call of Lua failed", e);
    }
  }

  /** The script ends at its next instruction, and at each that follows. */
  private void end(long thread, Throwable why) {
    if (pending == null) {
      pending = why;
      spent = true;
    }
    try {
      setHook(main, raise, 1);
      setHook(thread, raise, 1);
    } catch (Throwable e) {
      pending.addSuppressed(e);
    }
  }

  /** Called by Lua again and again. */
  @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // from C, with two arguments
  private void hook(long thread, long record) {
    try {
      if (pending != null) {
        end(thread, pending);
      } else if (running && check != null) {
        check.run();
        if (memory.isTight()) {
          collect(thread);
        }
      }
    } catch (Throwable e) {
      end(thread, e);
    }
  }

  /** Called by Lua for a function: returns true and its results, or false and an error. */
  @SuppressWarnings("UnusedMethod") // from C
  private int dispatch(long thread) {
    long before = stack.state();
    stack.state(thread);
    memory.limited(false);
    try {
      int id = (int) stack.number(Stack.OWN);
      int results;
      try {
        if (++calls % CALLS == 0 && running && check != null) {
          check.run();
        }
        if (memory.isTight()) {
          collect(thread);
        }
        results = functions.get(id).call(stack);
        stack.reserve(1);
      } catch (LuaError e) {
        return fail(id, e);
      } catch (Throwable e) {
        end(main, e);
        return fail(id, new LuaError("the script ends"));
      }
      stack.push(true);
      stack.insert(-results - 1);
      return results + 1;
    } catch (Throwable e) {
      end(main, e);
      return 0;
    } finally {
      memory.limited(running);
      stack.state(before);
    }
  }

  private int fail(int id, LuaError error) throws Throwable {
    if (error.kind() == LuaError.Kind.TOP) {
      stack.insert(1);
      stack.top(1);
    } else {
      stack.top(0);
    }
    if (names.get(id).indexOf('.') > 0) {
      revive(id);
    }
    stack.push(false);
    switch (error.kind()) {
      case TEXT -> stack.push(error.text().getBytes(StandardCharsets.UTF_8));
      case TABLE -> {
        stack.table(0, 1);
        stack.push("ERR " + error.text());
        stack.set("err");
      }
      case TOP -> stack.copy(1);
    }
    return 2;
  }

  /** The function's coroutine is about to die by an error: it gets a new one. */
  private void revive(int id) throws Throwable {
    int place = 1; // of those with a coroutine
    for (int i = 0; i < id; i++) {
      place += names.get(i).indexOf('.') > 0 ? 1 : 0;
    }
    long thread = stack.state();
    int _ = (int) Natives.PUSH_THREAD.invokeExact(thread);
    stack.set(Stack.REGISTRY, DYING); // else it might be collected while it works
    stack.get(Stack.REGISTRY, SERVES);
    stack.get(Stack.REGISTRY, WRAPS);
    stack.get(-1, place);
    long fresh = (long) Natives.NEW_THREAD.invokeExact(thread);
    long _ = (long) Natives.SET_UPVALUE.invokeExact(thread, -2, 1);
    stack.get(-3, place);
    Natives.MOVE.invokeExact(thread, fresh, 1);
    stack.pop(3);
  }

  @Override
  public void close() {
    try {
      Natives.CLOSE.invokeExact(main);
    } catch (Throwable e) {
      throw new IllegalStateException("a call of Lua failed", e);
    } finally {
      memory.close();
      arena.close();
    }
  }
}
