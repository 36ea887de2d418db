package io.kvstadium.server.redis.script;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaFunction;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.DebugLib;

/** Knows where a script is, and lets its host look at it now and then. */
final class Hook extends DebugLib {
  /** Instructions between two checks: a few milliseconds at most. */
  private static final int STEP = 10_000;

  /** Deeper calls would overflow the thread's stack, perhaps in the middle of a command. */
  private static final int DEEPEST = 2_000;

  private final @Nullable LuaClosure[] functions = new LuaClosure[DEEPEST + 1];
  private final int[] places = new int[DEEPEST + 1];
  private int depth;
  private int left = STEP;
  private @Nullable Host host;

  void begin(Host now) {
    host = now;
    depth = 0;
    left = STEP;
  }

  @Override
  public void onCall(LuaFunction function) {}

  @Override
  public void onCall(LuaClosure function, Varargs varargs, LuaValue[] stack) {
    if (depth == DEEPEST) {
      throw new LuaError("stack overflow");
    }
    functions[++depth] = function;
  }

  @Override
  public void onInstruction(int place, Varargs varargs, int top) {
    places[depth] = place;
    if (--left == 0) {
      left = STEP;
      Objects.requireNonNull(host).check();
    }
  }

  @Override
  public void onReturn() {
    depth--;
  }

  @Override
  public String traceback(int level) {
    return "";
  }

  /** The line of the calling function, or of one further up, or of the last one; 0 if unknown. */
  int line(int level) {
    int at = depth - level + 1;
    LuaClosure function = functions[Math.max(1, at)];
    int[] lines = function == null ? null : function.p.lineinfo;
    int place = places[Math.max(1, at)];
    return lines == null || place >= lines.length ? 0 : lines[place];
  }
}
