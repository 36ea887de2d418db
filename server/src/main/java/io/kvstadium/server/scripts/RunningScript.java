package io.kvstadium.server.scripts;

import io.kvstadium.lua.Host;
import io.kvstadium.lua.Interpreter.Kind;
import io.kvstadium.lua.ScriptException;
import io.kvstadium.server.access.Denial;
import io.kvstadium.server.command.Call;
import io.kvstadium.server.command.CommandRunner;
import io.kvstadium.server.protocol.Command;
import io.kvstadium.server.protocol.Command.Flag;
import io.kvstadium.server.protocol.Invocation;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One run of a script: its commands, its rights and its limits. */
public final class RunningScript implements Host {
  /** The most bytes of a command's reply. */
  private static final int LONGEST = 256 << 20;

  private static final String[] LEVELS = {"debug", "verbose", "notice", "warning"};

  /** Ends a script, whatever it catches. */
  static final class Ended extends Error {
    private static final long serialVersionUID = 1;

    Ended(String why) {
      super(why, null, false, false);
    }

    String why() {
      return String.valueOf(getMessage());
    }
  }

  /** Ends a script and its commit group. */
  static final class ServerEnds extends Error {
    private static final long serialVersionUID = 1;

    ServerEnds() {
      super("the server ends", null, false, false);
    }
  }

  private final Call call;
  private final Scripts scripts;
  private final Kind kind;
  private final String name;
  private final boolean readOnly;
  private final boolean allowsOom;
  private final ByteBuf replies;
  private final long began = System.nanoTime();

  private boolean wrote;
  private boolean killed;

  RunningScript(
      Call call,
      Scripts scripts,
      Kind kind,
      String name,
      boolean readOnly,
      boolean allowsOom,
      ByteBuf replies) {
    this.call = call;
    this.scripts = scripts;
    this.kind = kind;
    this.name = name;
    this.readOnly = readOnly;
    this.allowsOom = allowsOom;
    this.replies = replies;
  }

  Kind kind() {
    return kind;
  }

  String name() {
    return name;
  }

  /** The request that runs it. */
  byte[][] request() {
    return call.request();
  }

  /** Since when it runs, by {@link System#nanoTime}. */
  long began() {
    return began;
  }

  /** Ends it soon; returns false if it cannot be ended any more. */
  synchronized boolean kill() {
    killed |= !wrote;
    return killed;
  }

  private synchronized void writes() {
    if (killed) {
      throw killedByUser();
    }
    wrote = true;
  }

  private static Ended killedByUser() {
    return new Ended("ERR Script killed by user with SCRIPT KILL...");
  }

  @Override
  public void check() {
    synchronized (this) {
      if (killed) {
        throw killedByUser();
      }
    }
    if (scripts.ending()) { // its commit group fails, so that half a script is not kept
      throw new ServerEnds();
    }
    long threshold = scripts.threshold();
    if (threshold > 0
        && System.nanoTime() - began > TimeUnit.MILLISECONDS.toNanos(threshold)
        && call.view().commitGroup().writes()) {
      scripts.slow(this);
    }
  }

  @Override
  public ByteBuffer call(byte[][] request, int protocol) {
    CommandRunner runner = call.runner();
    Command command = call.server().commands().of(request);
    replies.clear();
    ReplyWriter reply = new ReplyWriter(replies, protocol, LONGEST, _ -> {});
    String refusal = refusal(command, request);
    if (refusal != null || command == null) {
      runner.rejected(command, reply, "ERR " + refusal);
    } else {
      if (command.is(Flag.WRITE)) {
        if (!wrote
            && !allowsOom
            && command.is(Flag.DENYOOM)
            && !makesRoom(command, request, reply)) {
          return replies.nioBuffer();
        }
        writes();
      }
      runner.run(call.inScript(command, request, reply));
      if (command.is(Flag.READONLY)) {
        runner.track(call); // the keys that the script declared, as Redis does
      }
    }
    return replies.nioBuffer();
  }

  /** Only before the first write: a script is not stopped in the middle. */
  private boolean makesRoom(Command command, byte[][] request, ReplyWriter reply) {
    try {
      call.server().sizeLimit().makeRoom(call.view(), Invocation.bytes(request));
      return true;
    } catch (ReplyException e) {
      call.runner().rejected(command, reply, e.text());
      return false;
    }
  }

  private @Nullable String refusal(@Nullable Command command, byte[][] request) {
    boolean isContainer = command != null && !command.subcommands().isEmpty();
    if (command == null || (isContainer && request.length > 1)) {
      return "Unknown Redis command called from script";
    }
    if (!command.fits(request.length)) {
      return "Wrong number of args calling Redis command from script";
    }
    if (command.is(Flag.NOSCRIPT) || command.is(Flag.NO_MULTI)) {
      return "This Redis command is not allowed from script";
    }
    try {
      call.runner().checkAccess(call.client(), command, request, "lua");
    } catch (Denial denial) {
      return "The user executing the script " + denial.inScript();
    }
    boolean writes = command.is(Flag.WRITE) || command.is(Flag.TURN) || command.is(Flag.SEEN);
    return readOnly && writes ? "Write commands are not allowed from read-only scripts." : null;
  }

  @Override
  public boolean allows(byte[][] request) {
    Command command = call.server().commands().of(request);
    if (command == null) {
      throw new ScriptException("Invalid command passed to redis.acl_check_cmd()", false);
    }
    try {
      call.server().access().check(call.client(), command, request);
      return true;
    } catch (Denial denial) {
      return false;
    }
  }

  @Override
  public void log(int level, String message) {
    if (level >= 2) { // as with Redis' default
      call.server().log().event("script", message, "level", LEVELS[level]);
    }
  }
}
