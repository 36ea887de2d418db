package io.kvstadium.server.command;

import io.kvstadium.server.access.Access;
import io.kvstadium.server.access.Denial;
import io.kvstadium.server.client.Client;
import io.kvstadium.server.client.Client.Replies;
import io.kvstadium.server.client.ClientLine;
import io.kvstadium.server.command.Handlers.Handler;
import io.kvstadium.server.database.Databases;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.execute.ColdException;
import io.kvstadium.server.execute.CommitGroup;
import io.kvstadium.server.figures.CommandCounts;
import io.kvstadium.server.figures.Statistics;
import io.kvstadium.server.notify.Listeners;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Command;
import io.kvstadium.server.protocol.Command.Flag;
import io.kvstadium.server.protocol.CommandTable;
import io.kvstadium.server.protocol.KeyUse;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.server.protocol.Request;
import io.kvstadium.store.FullException;
import io.kvstadium.store.StadiumException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Executes requests: checks them, runs their commands, and counts. Safe for all threads. */
public final class CommandRunner {
  /** Characters of an unknown command's name, and of its arguments, that its error shows. */
  private static final int SHOWN = 128;

  /** How often keys are read without a snapshot, before others' writes are kept out of them. */
  private static final int POINT_READS = 3;

  private final ServerContext server;
  private final Handler[] handlers;
  private final Access access;
  private final Listeners listeners;
  private final Statistics statistics;
  private final CommandCounts counts;
  private volatile boolean replicasRequired;

  /**
   * A runner.
   *
   * @param handlers for all commands of the server's table
   */
  public CommandRunner(ServerContext server, Handlers handlers) {
    this.server = server;
    this.handlers = handlers.inOrder(server.commands());
    this.access = server.access();
    this.listeners = server.listeners();
    this.statistics = server.statistics();
    this.counts = server.counts();
  }

  /** What the commands share. */
  public ServerContext server() {
    return server;
  }

  /** Sets whether replicas are required to write. There are none: then nothing can be written. */
  public void requireReplicas(boolean required) {
    replicasRequired = required;
  }

  private void checkReplicas(Command command) {
    if (replicasRequired && command.is(Flag.WRITE)) {
      throw new ReplyException("NOREPLICAS Not enough good replicas to write.");
    }
  }

  /** Names the keys whose content a request will read, not only what is before a string. */
  public void prefetch(Client client, Request request, Databases.View view) {
    Command command = request.command();
    byte[][] arguments = request.arguments();
    if (command != null
        && command.first() > 0
        && !command.is(Flag.NUMBERED)
        && !command.is(Flag.HEAD)) {
      int end =
          command.last() < 0
              ? arguments.length + command.last()
              : Math.min(command.last(), arguments.length - 1);
      Keyspace keys = view.keyspace(client.database);
      boolean overwrites = command.overwrites(arguments.length);
      for (int i = command.first(), key = 0; i <= end; i += command.step(), key++) {
        if (!KeyUse.of(command, arguments, key).readsContent()) {
          continue;
        }
        if (overwrites) {
          keys.prefetchOverwritten(arguments[i]);
        } else {
          keys.prefetch(arguments[i]);
        }
      }
    }
  }

  /**
   * Executes a request and writes its reply.
   *
   * @param view {@code null} for requests that need no store
   * @throws ColdException if it needs one and must not wait for it: then nothing has happened
   */
  public void execute(
      Client client, Request request, Databases.@Nullable View view, ReplyWriter reply) {
    int mark = reply.mark();
    if (client.replies == Replies.SKIP) {
      client.replies = Replies.SKIPPING;
    }
    boolean messages = false;
    try {
      Command command = known(request);
      client.ran(command);
      checkAccess(client, command, request.arguments(), client.inMulti() ? "multi" : "toplevel");
      checkReplicas(command);
      messages = command.is(Flag.PUSHES);
      if (client.queue != null && !command.is(Flag.AT_ONCE)) {
        messages = false;
        putOff(client, command, request);
        reply.simple("QUEUED");
      } else {
        if (client.subscriptions > 0 && !reply.isResp3()) {
          requireSubscriber(command);
        }
        run(new Call(this, client, command, request.arguments(), view, reply));
        if (view != null && (command.is(Flag.WRITE) || command.is(Flag.TURN))) {
          server.blockedClients().serve(view);
        }
      }
    } catch (ReplyException e) {
      messages = false;
      if (request.command() != null) {
        counts.rejected(request.command());
      }
      fail(reply, mark, refused(client, request, e.text()));
    }
    statistics.executedOne();
    if (client.caching != null
        && client.queue == null
        && !client.lastCommand.startsWith("client|")) {
      client.caching = null; // it was for this request
    }
    Replies now = client.replies;
    if ((now == Replies.NONE || now == Replies.SKIPPING) && !messages) {
      reply.reset(mark);
    }
    if (now == Replies.SKIPPING) {
      client.replies = Replies.ALL;
    }
  }

  /**
   * Makes sure that a client may send a request, and logs it if it may not.
   *
   * @param context where it is sent: multi, lua or toplevel
   */
  public void checkAccess(Client client, Command command, byte[][] request, String context) {
    try {
      access.check(client, command, request);
    } catch (Denial denial) {
      access
          .log()
          .add(
              denial.reason().word(),
              context,
              denial.object(),
              String.valueOf(client.user),
              ClientLine.of(client, server.clock().millis()));
      throw denial;
    }
  }

  /** The error of a request that was not started: it breaks a block, and EXEC itself ends one. */
  private static String refused(Client client, Request request, String text) {
    Command command = request.command();
    if (command != null && command.is(Flag.EXECUTES)) {
      client.endMulti();
      client.unwatch();
      return "EXECABORT Transaction discarded because of: " + text.replaceFirst("^ERR ", "");
    }
    if (client.queue != null) {
      client.queueBroken = true;
    }
    return text;
  }

  private void fail(ReplyWriter reply, int mark, String text) {
    failed(text);
    reply.reset(mark);
    reply.error(text);
  }

  /** An error was answered. */
  public void failed(String text) {
    statistics.failed(text);
  }

  /** Answers a request that was not started. */
  public void rejected(@Nullable Command command, ReplyWriter reply, String text) {
    if (command != null) {
      counts.rejected(command);
    }
    fail(reply, reply.mark(), text);
  }

  private static Command known(Request request) {
    Command command = request.command();
    String refusal = request.refusal();
    if (refusal != null) {
      throw new ReplyException(refusal);
    }
    if (command == null) {
      throw ReplyException.error("%s", unknown(request.arguments()));
    }
    if (!command.fits(request.arguments().length)) {
      throw ReplyException.arity(command.name());
    }
    if (!command.subcommands().isEmpty() && request.arguments().length > 1) {
      throw CommandTable.unknown(command, request.arguments()[1]);
    }
    return command;
  }

  /** Makes sure that a subscriber in RESP2 may send a request. */
  private static void requireSubscriber(Command command) {
    if (!command.is(Flag.SUBSCRIBER)) {
      throw ReplyException.error(
          "Can't execute '%s': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are"
              + " allowed in this context",
          command.name());
    }
  }

  private static String unknown(byte[][] request) {
    StringBuilder arguments = new StringBuilder();
    for (int i = 1; i < request.length && arguments.length() < SHOWN; i++) {
      String argument = shortened(request[i], SHOWN - arguments.length());
      arguments.append('\'').append(argument).append("' ");
    }
    return "unknown command '%s', with args beginning with: %s"
        .formatted(shortened(request[0], SHOWN), arguments);
  }

  private static String shortened(byte[] argument, int max) {
    return Bytes.start(argument, max);
  }

  private static void putOff(Client client, Command command, Request request) {
    if (command.is(Flag.NO_MULTI)) {
      throw ReplyException.error("Command not allowed inside a transaction");
    }
    List<Request> queue = client.queue;
    if (queue != null) {
      queue.add(request);
      long before = client.queuedBytes;
      client.queuedBytes = before + request.bytes();
    }
  }

  /** Runs a command; what it wrote is undone if it fails. */
  public void run(Call call) {
    boolean script = call.command().is(Flag.SCRIPT);
    if (script) { // shown before its commands
      listeners.monitors().show(call.client(), call, call.isInScript(), server.clock());
    }
    run(call, handlers[call.command().number()]);
    if (!script) {
      listeners.monitors().show(call.client(), call, call.isInScript(), server.clock());
    }
  }

  /** Remembers the keys of a request for a client that caches what it read. */
  public void track(Call call) {
    Client.Tracked tracked = call.client().tracked;
    if (tracked != null) {
      listeners
          .tracking()
          .read(call.client(), tracked, call.command().keyArguments(call.request()));
    }
  }

  /** Runs a command with another handler. */
  public void run(Call call, Handler handler) {
    Command command = call.command();
    Databases.View view = call.hasView() ? call.view() : null;
    int mark = call.reply().mark();
    Client.Blocked waited = call.client().blocked;
    boolean writes = command.is(Flag.WRITE);
    boolean reads = command.is(Flag.READONLY);
    long begin = view == null ? System.nanoTime() : view.clock();
    long hits = 0;
    long misses = 0;
    if (view != null) {
      hits = view.lookups().hits;
      misses = view.lookups().misses;
      if (writes) {
        view.savepoint();
      }
    }
    try {
      checkReplicas(command);
      if (writes && !command.is(Flag.REMOVES)) {
        call.view().commitGroup().requireSpace(call.bytes(), begin);
      }
      if (command.is(Flag.DENYOOM)
          && call.mayWait()) { // else for the whole block, or script, before
        server.sizeLimit().makeRoom(call.view(), call.bytes());
      }
      if (view != null && command.is(Flag.POINTS) && !view.commitGroup().isConsistent()) {
        readPoints(call, view, handler);
      } else {
        handler.run(call);
      }
      if (view != null && writes) {
        listeners.executed(call.client(), call, call.view());
      }
      if (view != null && reads) {
        statistics.lookedUp(view.lookups().hits - hits, view.lookups().misses - misses);
      }
      if (reads && !call.isInScript() && !command.is(Flag.SCRIPT)) {
        track(call);
      }
    } catch (ColdException e) {
      call.reply().reset(mark);
      throw e;
    } catch (ReplyException e) {
      if (e.counted()) {
        counts.failed(command);
        call.reply().reset(mark);
        call.reply().error(e.text());
      } else {
        abandon(view, call, mark, e.text());
      }
    } catch (FullException e) {
      abandon(view, call, mark, "MISCONF " + e.getMessage());
    } catch (StadiumException e) {
      abandon(view, call, mark, "ERR " + e.getMessage());
    } catch (OutOfMemoryError e) { // for what it requested
      server.report(new IllegalStateException("no memory for " + command.name(), e));
      abandon(view, call, mark, "ERR out of memory");
    } catch (RuntimeException e) { // a bug in the server, which must not fail other requests
      server.report(e);
      abandon(view, call, mark, "ERR internal error: " + e);
    }
    long end = System.nanoTime();
    if (view != null) {
      view.clock(end);
    }
    if (Objects.equals(call.client().blocked, waited)) { // else it counts once it is served
      counts.executed(command, end - begin);
      server
          .slowLog()
          .executed(end - begin, call, call.now(), call.client().address(), call.client().name);
    }
  }

  /** A request that waited was answered, though it got nothing. */
  void waited(Command command) {
    counts.executed(command, 0);
  }

  /** Reads by key, again if something was written meanwhile, and at last at one moment. */
  private void readPoints(Call call, Databases.View view, Handler handler) {
    CommitGroup group = view.commitGroup();
    int mark = call.reply().mark();
    long hits = view.lookups().hits;
    long misses = view.lookups().misses;
    boolean again = true;
    for (int i = 0; again && i < POINT_READS; i++) {
      group.beginPointReads();
      try {
        handler.run(call);
      } catch (RuntimeException | Error e) {
        boolean _ = group.endPointReads();
        throw e;
      }
      if (group.endPointReads()) {
        return;
      }
      call.reply().reset(mark);
      view.lookups().hits = hits;
      view.lookups().misses = misses;
      again = !group.hasOtherReads();
    }
    Databases.View latest =
        group.atOneMoment(own -> {
          Databases.View moment = server.view(own);
          handler.run(call.in(moment));
          return moment;
        });
    view.lookups().hits += latest.lookups().hits;
    view.lookups().misses += latest.lookups().misses;
  }

  private void abandon(Databases.@Nullable View view, Call call, int mark, String text) {
    if (view != null && call.command().is(Flag.WRITE)) {
      view.rollback();
    }
    counts.failed(call.command());
    fail(call.reply(), mark, text);
  }
}
