package io.kvstadium.server.session;

import io.kvstadium.server.client.Client;
import io.kvstadium.server.client.OutputLimits;
import io.kvstadium.server.command.ServerContext;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Command;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.server.protocol.Request;
import io.kvstadium.server.protocol.RequestDecoder;
import io.kvstadium.server.protocol.RequestDecoder.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection that speaks the Redis protocol. Everything that arrives in one read is parsed on the
 * event loop, executed in as few batches as the order allows, and answered with one write.
 *
 * <p>At most one batch is being executed at a time; what arrives meanwhile waits here. Belongs to
 * the event loop.
 */
// a failed send ends the connection, which is notified
@SuppressWarnings("FutureReturnValueIgnored")
public final class Connection extends ChannelInboundHandlerAdapter implements Client.Buffers {
  /** Replies of at least this many bytes are sent at once. */
  private static final int LARGE = 64 << 10;

  /** While this many bytes wait, no more is read. */
  private static final int MAX_ARRIVED = 64 << 20;

  /** The beginning of an HTTP request, and of one of its lines. */
  private static final Set<String> HTTP = Set.of("post", "host:");

  private final Sessions sessions;
  private final ServerContext server;
  private final ConnectionLimits limits;
  private final RequestDecoder decoder;
  private final RequestQueue waiting;
  private final MemoryAccount memory;
  private final LoopQueue loop;
  private @Nullable Client client;
  private @Nullable ByteBuf arrived;

  private boolean busy;
  private boolean dispatching;
  private boolean broken;
  private boolean unflushed;

  /** Messages to be sent after the replies of the batch that is being executed. */
  private final List<Consumer<ReplyWriter>> behind = new ArrayList<>();

  /** Whether what is being executed may wait for other clients. */
  private boolean waits;

  private @Nullable Channel channel;

  /** A connection that was just accepted. */
  public Connection(Sessions sessions, EventLoop eventLoop, ConnectionLimits limits) {
    this.loop = sessions.loop(eventLoop);
    this.sessions = sessions;
    this.server = sessions.server();
    this.limits = limits;
    this.waiting = new RequestQueue(sessions);
    this.memory = new MemoryAccount(server.clients().budget());
    this.decoder = new RequestDecoder(limits.request(), true, memory::admit);
  }

  /** Where a client is, in words; if that is this machine's socket, the socket's own path. */
  public static String address(Channel channel) {
    SocketAddress own = channel.localAddress();
    return text(own instanceof DomainSocketAddress ? own : channel.remoteAddress());
  }

  private static String text(SocketAddress address) {
    return address instanceof DomainSocketAddress socket
        ? socket.path() + ":0" // as in Redis
        : String.valueOf(address).replaceFirst("^[^/]*/", "");
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    Client own =
        new Client(
            address(context.channel()),
            text(context.channel().localAddress()),
            server.clock().millis(),
            (message, late) -> onLoop(context, () -> push(context, message, late)),
            this);
    server.access().forget(own);
    client = own;
    channel = context.channel();
    // who sends no more may still read
    context.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    memory.open(own, context.channel());
    server.clients().add(own, () -> context.channel().close());
  }

  /** Runs something on the event loop; a failure ends this connection and no other. */
  private void onLoop(ChannelHandlerContext context, Runnable task) {
    loop.run(task, cause -> exceptionCaught(context, cause));
  }

  private void push(ChannelHandlerContext context, Consumer<ReplyWriter> message, boolean late) {
    Client own = client;
    if (late && busy && own != null && !own.waits()) {
      behind.add(message);
    } else if (own != null && !own.gone && context.channel().isActive()) {
      ByteBuf buffer = context.alloc().buffer();
      ReplyWriter out = new ReplyWriter(buffer, own.protocol, limits.output(), _ -> {});
      try {
        message.accept(out);
      } catch (RuntimeException | Error e) {
        buffer.release();
        throw e;
      }
      server.statistics().sent(out.size());
      context.writeAndFlush(fitting(context, buffer), context.voidPromise());
      account(context);
    }
  }

  /** Messages that wait for a client to read them take no more memory than they need. */
  private static ByteBuf fitting(ChannelHandlerContext context, ByteBuf message) {
    int length = message.readableBytes();
    if (context.channel().isWritable() || message.capacity() - length <= length / 4) {
      return message;
    }
    ByteBuf exact = context.alloc().buffer(length, length).writeBytes(message);
    message.release();
    return exact;
  }

  private void pushBehind(ChannelHandlerContext context) {
    List<Consumer<ReplyWriter>> messages = List.copyOf(behind);
    behind.clear();
    messages.forEach(each -> push(context, each, false));
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    broken = true;
    waiting.clear();
    drop();
    leave();
  }

  /** From now on nobody counts on the client, though the connection may end a little later. */
  private void leave() {
    memory.close();
    Client own = client;
    if (own != null && !own.gone) {
      server.clients().remove(own);
      own.gone = true;
      Client.Blocked blocked = own.blocked;
      if (blocked != null) {
        blocked.end(_ -> {});
      }
      if (!busy) {
        sessions.gone(own);
      }
    }
  }

  private void drop() {
    if (arrived != null) {
      arrived.release();
      arrived = null;
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (broken || client == null) {
      bytes.release();
      return;
    }
    server.statistics().received(bytes.readableBytes());
    arrived =
        arrived == null
            ? bytes
            : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(context.alloc(), arrived, bytes);
    client.lastUsed = server.clock().millis();
    advance(context, client);
  }

  /** Parses and executes what has arrived, as far as possible. */
  private void advance(ChannelHandlerContext context, Client own) {
    String failure = null;
    boolean more = true;
    while (more) {
      ByteBuf in = arrived;
      int before = waiting.size();
      failure = in == null || broken ? null : decode(in, own);
      if (in != null && !in.isReadable()) {
        drop();
      }
      int decoded = waiting.size();
      more = arrived != null && failure == null;
      dispatch(context, own);
      // with the most requests waiting nothing was decoded, but now there is room again
      more &= (decoded > before || waiting.size() < decoded) && !busy && !own.closing;
    }
    if (failure != null) {
      refuse(context, failure);
    }
    account(context);
  }

  /** Updates how much memory this connection takes, and whether to read more from it. */
  private void account(ChannelHandlerContext context) {
    long buffered = arrived == null ? 0 : arrived.capacity();
    ChannelOutboundBuffer output = context.channel().unsafe().outboundBuffer();
    Client own = client;
    long pending = output == null ? 0 : output.totalPendingWriteBytes();
    long kept = own == null ? 0 : own.bytes();
    boolean isParked = own != null && (own.waits() || own.paused);
    memory.update(
        pending,
        kept + (isParked ? waiting.bytes() : 0),
        own == null || own.gone
            ? 0
            : decoder.bytes() + buffered + pending + waiting.bytes() + kept);
    limitOutput(context, own, pending);
    boolean reads = buffered + waiting.bytes() < MAX_ARRIVED || !busy;
    if (context.channel().config().isAutoRead() != reads) {
      context.channel().config().setAutoRead(reads);
    }
  }

  /** Ends a client that does not read what is sent to it, at Redis' limits. */
  private void limitOutput(ChannelHandlerContext context, @Nullable Client own, long pending) {
    if (own == null || own.gone || memory.isCut()) {
      return;
    }
    OutputLimits.Limit limit = server.clients().outputLimits().of(own.subscriptions > 0);
    boolean over = limit.isOver(pending);
    if (!limit.isOverSoft(pending)) {
      overSoft = false;
    } else if (!overSoft) {
      overSoft = true;
      overSoftSince = System.nanoTime();
      var _ =
          context
              .executor()
              .schedule(() -> account(context), limit.nanos() + 1, TimeUnit.NANOSECONDS);
    } else {
      over |= System.nanoTime() - overSoftSince > limit.nanos();
    }
    if (over) {
      server.clients().outputLimitReached(own, pending);
      memory.cutOff();
    }
  }

  /** Whether more output waits than may for long, and since when. */
  private boolean overSoft;

  private long overSoftSince;

  @Override
  public long bytes() {
    return memory.bytes();
  }

  @Override
  public long input() {
    ByteBuf in = arrived;
    return in == null ? 0 : in.readableBytes();
  }

  @Override
  public long inputFree() {
    ByteBuf in = arrived;
    return in == null ? 0 : in.capacity() - in.readableBytes();
  }

  @Override
  public long output() {
    Channel own = channel;
    ChannelOutboundBuffer out = own == null ? null : own.unsafe().outboundBuffer();
    return out == null ? 0 : out.totalPendingWriteBytes();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    account(context);
  }

  /**
   * Parses requests that have arrived completely; returns what is wrong with the rest, or {@code
   * null}. From an unauthenticated client one at a time, since the first may authenticate it.
   */
  private @Nullable String decode(ByteBuf in, Client own) {
    try {
      while (waiting.size() < (own.user == null ? 1 : RequestQueue.MAX_WAITING)) {
        if (own.user == null) {
          decoder.limits(RequestDecoder.Limits.UNKNOWN, false);
        } else {
          decoder.limits(limits.request(), true);
        }
        byte[][] next = decoder.next(in);
        if (next == null) {
          return null;
        }
        if (next.length > 0) {
          Command command = server.commands().of(next);
          String refusal = decoder.refusal();
          if (refusal != null) {
            waiting.add(Request.refused(refusal));
            continue;
          }
          if (command == null && next[0].length < 6 && HTTP.contains(Bytes.lowerCase(next[0]))) {
            broken = true; // a browser that was tricked into talking to us
            waiting.clear();
            return "";
          }
          waiting.add(new Request(command, next));
        }
      }
      return null;
    } catch (ProtocolException e) {
      broken = true;
      return e.text();
    }
  }

  private void refuse(ChannelHandlerContext context, String failure) {
    drop();
    if (failure.isEmpty()) {
      context.close();
      return;
    }
    ByteBuf out = context.alloc().buffer(128);
    new ReplyWriter(out, 2, 1 << 20, _ -> {}).error(failure);
    if (busy || !waiting.isEmpty()) {
      last = out;
    } else {
      LingeringClose.after(context, out);
      leave();
    }
  }

  /** Whether the connection is being closed after its last reply. */
  private boolean ended;

  /** What is written before the connection is closed, after all other replies. */
  private @Nullable ByteBuf last;

  /** Executes what waits, as far as possible. */
  private void dispatch(ChannelHandlerContext context, Client own) {
    Executor executor = server.executor();
    dispatching = true;
    while (!busy
        && !waiting.isEmpty()
        && !own.closing
        && !memory.isCut()
        && !pauses(context, own)) {
      RequestQueue.Taken taken = waiting.take(own);
      List<Request> requests = taken.requests();
      ByteBuf out = context.alloc().buffer(64 + 32 * requests.size());
      RequestBatch batch =
          new RequestBatch(
              sessions.runner(),
              own,
              requests,
              out,
              limits.output(),
              taken.needsSnapshot(),
              taken.isLong(),
              memory::grown,
              each -> completed(context, own, each));
      own.since = server.listeners().tracking().latest();
      busy = true;
      waits = taken.waits();
      switch (taken.lane()) {
        case HERE -> {
          batch.executeLocally();
          batch.done();
        }
        case READ -> {
          if (executor.readsAtOnce(requests.size())) {
            executor.readNow(batch);
          } else if (!taken.isPoint() || !executor.readHot(batch)) {
            loop.read(batch);
          }
        }
        case LONG_READ -> loop.read(batch);
        case WRITE -> {
          if (executor.writesAtOnce(requests.size()) && !taken.scripts()) {
            executor.writeNow(batch);
          } else {
            loop.write(batch);
          }
        }
        case LONG_WRITE -> loop.write(batch);
      }
    }
    dispatching = false;
    if (own.closing || (last != null && !busy && waiting.isEmpty())) {
      close(context, own);
    } else if (unflushed) {
      unflushed = false;
      context.flush();
    }
  }

  /** Whether the next request waits for the end of a pause. */
  private boolean pauses(ChannelHandlerContext context, Client own) {
    if (!server.clients().pause().holds(own, waiting.next())) {
      return false;
    }
    if (!own.paused) {
      own.paused = true;
      server
          .clients()
          .pause()
          .whenOver(() ->
              onLoop(
                  context,
                  () -> {
                    own.paused = false;
                    advance(context, own);
                  }));
    }
    return true;
  }

  private void close(ChannelHandlerContext context, Client own) {
    if (busy) {
      return;
    }
    own.closing = true;
    broken = true;
    waiting.clear();
    if (!ended) {
      ended = true;
      drop();
      LingeringClose.after(context, last == null ? context.alloc().buffer(0) : last);
      leave();
    }
    last = null;
  }

  /** A batch was executed, on this thread or another. */
  private void completed(ChannelHandlerContext context, Client own, RequestBatch batch) {
    if (dispatching && context.executor().inEventLoop()) {
      answer(context, own, batch);
    } else {
      onLoop(
          context,
          () -> {
            answer(context, own, batch);
            advance(context, own);
          });
    }
  }

  private void answer(ChannelHandlerContext context, Client own, RequestBatch batch) {
    busy = false;
    memory.executed();
    waiting.executed(batch);
    ByteBuf replies = batch.replies();
    if (!context.channel().isActive()) {
      replies.release();
      sessions.gone(own);
    } else if (replies.isReadable()) {
      server.statistics().sent(replies.readableBytes());
      boolean large = replies.readableBytes() > LARGE;
      context.write(replies, context.voidPromise());
      unflushed = true;
      if (large) {
        unflushed = false;
        context.flush();
        account(context);
      }
    } else {
      replies.release();
    }
    if (!behind.isEmpty()) {
      pushBehind(context);
    }
  }

  /** The client sends no more: what it sent is answered, unless that may wait for others. */
  private void finish(ChannelHandlerContext context) {
    Client own = client;
    boolean mayWait = (busy && waits) || waiting.anyWaits();
    if (own == null || own.closing || mayWait) {
      context.channel().close();
    } else {
      drop();
      broken = true;
      last = last == null ? context.alloc().buffer(0) : last;
      dispatch(context, own);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    Client own = client;
    if (event instanceof ChannelInputShutdownEvent) {
      finish(context);
    } else if (event instanceof IdleStateEvent
        && !busy
        && own != null
        && own.subscriptions == 0
        && !own.monitors) {
      context.close();
    } else {
      context.fireUserEventTriggered(event);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (!(cause instanceof IOException)) { // else the other side is gone: nothing to report
      server.report(
          new IllegalStateException(
              "the connection of " + memory.address() + " failed: " + cause, cause));
    }
    context.close();
  }
}
