package io.kvstadium.server.scripts;

import io.kvstadium.lua.Interpreter;
import io.kvstadium.lua.Interpreter.Kind;
import io.kvstadium.lua.MemoryPool;
import io.kvstadium.lua.ScriptException;
import io.kvstadium.server.client.Budget;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.ReplyException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The scripts that are known, and those that run. Safe for all threads. */
public final class Scripts implements AutoCloseable {
  /** Beside its source. */
  private static final long OVERHEAD = 300;

  /** The part of the heap that sources may take; the one that was used least recently goes. */
  private static final int PART = 32;

  /** What the values of a script may take at least, beside the heap. */
  private static final long MEMORY = 32 << 20;

  /** A larger buffer is not kept. */
  private static final int LARGE = 1 << 20;

  private static final Set<String> FLAGS =
      Set.of("no-writes", "allow-oom", "allow-stale", "no-cluster", "allow-cross-slot-keys");

  private static final byte[][] NOTHING = {};

  /**
   * A script.
   *
   * @param id of its source
   * @param first arguments that come before the keys
   * @param source with its shebang line
   * @param body where Lua begins
   * @param declared whether it has a shebang line
   * @param readOnly whether it says that it does not write
   * @param allowsOom whether it says that it may run when memory is full
   */
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  record Script(
      Kind kind,
      String id,
      String name,
      byte[][] first,
      byte[] source,
      int body,
      boolean declared,
      boolean readOnly,
      boolean allowsOom) {
    /** One for EVAL. */
    Script(String name, byte[] source, int body, boolean declared, boolean reads, boolean oom) {
      this(Kind.SCRIPT, name, name, NOTHING, source, body, declared, reads, oom);
    }

    private long bytes() {
      return OVERHEAD + source.length;
    }

    /** Whether it must not begin when memory is full. */
    boolean needsRoom() {
      return declared && !readOnly && !allowsOom;
    }
  }

  /**
   * An interpreter, and the buffer for replies to its commands.
   *
   * @param generation grows with each SCRIPT FLUSH
   */
  record Machine(Interpreter interpreter, ByteBuf replies, int generation) {}

  private final Budget budget;
  private final MemoryPool pool;
  private final long maxBytes = Runtime.getRuntime().maxMemory() / PART;
  private final Map<String, Script> known = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;
  private volatile int generation;
  private final Queue<Machine> idle = new ConcurrentLinkedQueue<>();
  private final Set<RunningScript> running = ConcurrentHashMap.newKeySet();
  private volatile @Nullable RunningScript slow;
  private volatile boolean ending;
  private volatile long threshold = 5_000;

  /**
   * None yet.
   *
   * @param budget the memory of all clients, of which the values of scripts are a part
   */
  public Scripts(Budget budget) {
    this.budget = budget;
    this.pool =
        new MemoryPool() {
          @Override
          public boolean reserve(long bytes) {
            return budget.reserve(bytes);
          }

          @Override
          public void changed(long bytes) {
            budget.changed(bytes);
          }
        };
  }

  /** The script with a name, in either case; {@code null} if it is not known. */
  synchronized @Nullable Script find(byte[] name) {
    return name.length == 40 ? known.get(Bytes.lowerCase(name)) : null;
  }

  /** Makes a script known; its source must be right. */
  public Script load(byte[] source) {
    Script script = parsed(source, Interpreter.sha1(source, 0));
    synchronized (this) {
      Script before = known.get(script.name());
      if (before != null) {
        return before;
      }
    }
    compile(script);
    add(script);
    return script;
  }

  /** Remembers a script, which is right, for as long as there is room. */
  synchronized void add(Script script) {
    if (known.put(script.id(), script) == null) {
      bytes += script.bytes();
    }
    while (bytes > maxBytes && known.size() > 1) {
      Map.Entry<String, Script> eldest = known.entrySet().iterator().next();
      bytes -= eldest.getValue().bytes();
      known.remove(eldest.getKey());
    }
  }

  /** The script with an id, or {@code null}. */
  synchronized @Nullable Script get(String id) {
    return known.get(id);
  }

  private void compile(Script script) {
    Machine machine = machine();
    try {
      machine.interpreter().load(script.name(), script.source(), script.body());
    } catch (ScriptException e) {
      throw ReplyException.error("Error compiling script (new function): %s", e.text());
    } finally {
      release(machine);
    }
  }

  private static Script parsed(byte[] source, String name) {
    if (source.length < 2 || source[0] != '#' || source[1] != '!') {
      return new Script(name, source, 0, false, false, false);
    }
    String text = Bytes.text(source);
    int end = text.indexOf('\n');
    if (end < 0) {
      throw ReplyException.error("Invalid script shebang");
    }
    String[] words = text.substring(0, end).strip().split("\\s+");
    if (!words[0].equals("#!lua")) {
      throw ReplyException.error("Unexpected engine in script shebang: %s", words[0]);
    }
    boolean readOnly = false;
    boolean allowsOom = false;
    for (int i = 1; i < words.length; i++) {
      if (!words[i].startsWith("flags=")) {
        throw ReplyException.error("Unknown lua shebang option: %s", words[i]);
      }
      for (String flag : words[i].substring(6).split(",")) {
        if (!flag.isEmpty() && !FLAGS.contains(flag)) {
          throw ReplyException.error("Unexpected flag in script shebang: %s", flag);
        }
        readOnly |= flag.equals("no-writes");
        allowsOom |= flag.equals("allow-oom");
      }
    }
    int body = 0;
    while (source[body] != '\n') {
      body++;
    }
    return new Script(name, source, body, true, readOnly, allowsOom);
  }

  synchronized boolean knows(byte[] name) {
    return find(name) != null;
  }

  public synchronized int count() {
    return (int) known.values().stream().filter(each -> each.kind() == Kind.SCRIPT).count();
  }

  public synchronized long bytes() {
    return bytes;
  }

  synchronized void clear() {
    known.clear();
    bytes = 0;
    generation++;
    for (Machine each = idle.poll(); each != null; each = idle.poll()) {
      each.interpreter().close();
    }
  }

  /**
   * An interpreter that nobody uses, until {@link #release}.
   *
   * @throws ReplyException if Lua cannot be had on this machine
   */
  Machine machine() {
    Machine one = idle.poll();
    if (one != null) {
      return one;
    }
    try {
      return new Machine(Interpreter.open(limit(), pool), Unpooled.buffer(256), generation);
    } catch (ScriptException e) {
      throw new ReplyException(e.text());
    }
  }

  /** What the values of one script may take: not all that the clients have. */
  private long limit() {
    return Math.max(MEMORY, Math.min(Runtime.getRuntime().maxMemory() / 8, budget.max() / 2));
  }

  void release(Machine machine) {
    if (!ending
        && !machine.interpreter().isSpent()
        && machine.generation() == generation
        && machine.replies().capacity() < LARGE) {
      idle.add(machine);
    } else {
      machine.interpreter().close();
    }
  }

  /** Those that run. */
  Set<RunningScript> running() {
    return running;
  }

  void began(RunningScript script) {
    running.add(script);
  }

  @SuppressWarnings("ReferenceEquality") // each is one run
  void ended(RunningScript script) {
    running.remove(script);
    if (slow == script) {
      slow = null;
    }
  }

  /** A script holds up everything that writes for long. */
  void slow(RunningScript script) {
    slow = script;
  }

  /** Why requests other than reads are refused; {@code null} if they are not. */
  public @Nullable String refusal() {
    RunningScript holding = slow;
    return holding == null ? null : busy(holding.kind());
  }

  private static String busy(Kind kind) {
    return "BUSY Redis is busy running a script. You can only call %s KILL or SHUTDOWN NOSAVE."
        .formatted(kind == Kind.SCRIPT ? "SCRIPT" : "FUNCTION");
  }

  /** The milliseconds after which a script makes others' requests be refused; 0 for never. */
  public long threshold() {
    return threshold;
  }

  public void threshold(long millis) {
    threshold = millis;
  }

  /** Whether every script must end at once. */
  boolean ending() {
    return ending;
  }

  /** Ends those of a kind that have not written. */
  void kill(Kind kind) {
    if (running.isEmpty()) {
      throw new ReplyException("NOTBUSY No scripts in execution right now.");
    }
    boolean found = false;
    boolean any = false;
    for (RunningScript each : running) {
      if (each.kind() == kind) {
        found = true;
        any |= each.kill();
      }
    }
    if (!found) {
      throw new ReplyException(busy(kind == Kind.SCRIPT ? Kind.FUNCTION : Kind.SCRIPT));
    }
    if (!any) {
      throw new ReplyException(
          "UNKILLABLE Sorry the script already executed write commands against the dataset. You can"
              + " either wait the script termination or kill the server in a hard way using the"
              + " SHUTDOWN NOSAVE command.");
    }
  }

  /** Ends all scripts, those that have written too: their commit groups are not written. */
  @Override
  public void close() {
    ending = true;
    clear();
  }
}
