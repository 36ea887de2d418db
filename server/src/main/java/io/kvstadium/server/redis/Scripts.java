package io.kvstadium.server.redis;

import io.kvstadium.server.redis.script.Corrections;
import io.kvstadium.server.redis.script.Interpreter;
import io.kvstadium.server.redis.script.ScriptException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.ref.SoftReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The scripts that are known, and those that run. Safe for all threads. */
final class Scripts implements AutoCloseable {
  /** Beside its source. */
  private static final long OVERHEAD = 300;

  /** The part of the heap that sources may take; the one that was used least recently goes. */
  private static final int PART = 32;

  /** A larger buffer is not kept. */
  private static final int LARGE = 1 << 20;

  private static final Set<String> FLAGS =
      Set.of("no-writes", "allow-oom", "allow-stale", "no-cluster", "allow-cross-slot-keys");

  /**
   * A script.
   *
   * @param source with its shebang line
   * @param body where Lua begins
   * @param declared whether it has a shebang line
   * @param readOnly whether it says that it does not write
   */
  @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
  record Script(
      String name, byte[] source, int body, boolean declared, boolean readOnly, Compiled compiled) {
    private long bytes() {
      return OVERHEAD + source.length;
    }

    /** For {@link Interpreter#run}. */
    Object code() {
      SoftReference<Object> kept = compiled.code;
      Object code = kept == null ? null : kept.get();
      if (code == null) {
        code = compile(source, body);
        compiled.code = new SoftReference<>(code);
      }
      return code;
    }
  }

  /** What Lua makes of a source, as long as there is memory for it. */
  static final class Compiled {
    private volatile @Nullable SoftReference<Object> code;
  }

  /** An interpreter, and the buffer for replies to its commands. */
  record Machine(Interpreter interpreter, ByteBuf replies) {}

  private final long mostBytes = Runtime.getRuntime().maxMemory() / PART;
  private final Map<String, Script> known = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;
  private final Queue<Machine> idle = new ConcurrentLinkedQueue<>();
  private final Set<RunningScript> running = ConcurrentHashMap.newKeySet();
  private volatile @Nullable RunningScript slow;
  private volatile boolean ending;
  private volatile long threshold = 5_000;

  private static Object compile(byte[] source, int body) {
    try {
      return Interpreter.compile(source, body);
    } catch (ScriptException e) {
      throw ReplyException.error("Error compiling script (new function): %s", e.text());
    }
  }

  /** The script with a name, in either case; {@code null} if it is not known. */
  synchronized @Nullable Script find(byte[] name) {
    return name.length == 40 ? known.get(Bytes.word(name)) : null;
  }

  /** Makes a script known; its source must be right. */
  Script load(byte[] source) {
    Corrections.apply(); // before any class of LuaJ is used
    Script script = parsed(source, Interpreter.sha1(source, 0));
    synchronized (this) {
      Script before = known.get(script.name());
      if (before != null) {
        return before;
      }
    }
    script.code();
    synchronized (this) {
      if (known.put(script.name(), script) == null) {
        bytes += script.bytes();
      }
      while (bytes > mostBytes && known.size() > 1) {
        Map.Entry<String, Script> eldest = known.entrySet().iterator().next();
        bytes -= eldest.getValue().bytes();
        known.remove(eldest.getKey());
      }
    }
    return script;
  }

  private static Script parsed(byte[] source, String name) {
    if (source.length < 2 || source[0] != '#' || source[1] != '!') {
      return new Script(name, source, 0, false, false, new Compiled());
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
    for (int i = 1; i < words.length; i++) {
      if (!words[i].startsWith("flags=")) {
        throw ReplyException.error("Unknown lua shebang option: %s", words[i]);
      }
      for (String flag : words[i].substring(6).split(",")) {
        if (!flag.isEmpty() && !FLAGS.contains(flag)) {
          throw ReplyException.error("Unexpected flag in script shebang: %s", flag);
        }
        readOnly |= flag.equals("no-writes");
      }
    }
    int body = 0;
    while (source[body] != '\n') {
      body++;
    }
    return new Script(name, source, body, true, readOnly, new Compiled());
  }

  synchronized boolean knows(byte[] name) {
    return find(name) != null;
  }

  synchronized int count() {
    return known.size();
  }

  synchronized long bytes() {
    return bytes;
  }

  synchronized void clear() {
    known.clear();
    bytes = 0;
  }

  /** An interpreter that nobody uses, until {@link #release}. */
  Machine machine() {
    Machine one = idle.poll();
    return one == null ? new Machine(new Interpreter(), Unpooled.buffer(256)) : one;
  }

  void release(Machine machine) {
    if (machine.replies().capacity() < LARGE) {
      idle.add(machine);
    }
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

  /** Whether requests other than reads are refused. */
  boolean busy() {
    return slow != null;
  }

  /** The milliseconds after which a script makes others' requests be refused; 0 for never. */
  long threshold() {
    return threshold;
  }

  void threshold(long millis) {
    threshold = millis;
  }

  /** Whether every script must end at once. */
  boolean ending() {
    return ending;
  }

  /** Ends the scripts that have not written. */
  void kill() {
    if (running.isEmpty()) {
      throw new ReplyException("NOTBUSY No scripts in execution right now.");
    }
    boolean any = false;
    for (RunningScript each : running) {
      any |= each.kill();
    }
    if (!any) {
      throw new ReplyException(
          "UNKILLABLE Sorry the script already executed write commands against the dataset. You can"
              + " either wait the script termination or kill the server in a hard way using the"
              + " SHUTDOWN NOSAVE command.");
    }
  }

  /** Ends all scripts, those that have written too: their rounds are not written. */
  @Override
  public void close() {
    ending = true;
  }
}
