package io.kvstadium.server.session;

import io.kvstadium.server.client.Budget;
import io.kvstadium.server.client.Client;
import io.kvstadium.server.client.OutputLimits;
import io.kvstadium.server.command.ServerContext;
import io.kvstadium.server.command.streams.StreamReads;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Command;
import io.kvstadium.server.protocol.Command.Flag;
import io.kvstadium.server.protocol.ReplyException;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection that speaks the Redis protocol. Everything that arrives in one read is parsed on the
 * event loop, executed in as few segments as the order allows, and answered with one write.
 *
 * <p>At most one segment is being executed at a time; what arrives meanwhile waits here. Belongs to
 * the event loop.
 */
// a failed send ends the connection, which is notified
@SuppressWarnings("FutureReturnValueIgnored")
public final class Connection extends ChannelInboundHandlerAdapter
    implements Budget.Holder, Client.Buffers {
  /** Further requests go into the next segment, so that replies begin to flow. */
  private static final int MOST_REQUESTS = 1_024;

  private static final int MOST_BYTES = 1 << 20;

  /** No more requests are parsed before some of the waiting ones were executed. */
  private static final int MOST_WAITING = 16 * MOST_REQUESTS;

  /** Replies of at least this many bytes are sent at once. */
  private static final int LARGE = 64 << 10;

  /** While this many bytes wait, no more is read. */
  private static final int MOST_ARRIVED = 64 << 20;

  /** A client that takes longer to read a reply is not waited for when memory is short. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

  /** The beginning of an HTTP request, and of one of its lines. */
  private static final Set<String> HTTP = Set.of("post", "host:");

  /** A request with more words than this runs on its own. */
  private static final int LONG_REQUEST = 256;

  private static final String BUSY =
      "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";

  private final Sessions sessions;
  private final ServerContext server;
  private final ConnectionLimits limits;
  private final RequestDecoder decoder;
  private final Deque<Request> waiting = new ArrayDeque<>();
  private final LoopQueue loop;
  private @Nullable Client client;
  private @Nullable ByteBuf arrived;

  /** The size of the requests that wait or are being executed. */
  private long requestBytes;

  /** Bytes that are being sent, and when some of them were. */
  private volatile long sending;

  private volatile long progress;

  /** The size of what waits behind a request that itself waits, and of what the client keeps. */
  private volatile long parked;

  private boolean busy;
  private boolean dispatching;
  private boolean broken;
  private boolean unflushed;

  /** Messages to be sent after the replies of the segment that is being executed. */
  private final List<Consumer<ReplyWriter>> behind = new ArrayList<>();

  private final AtomicLong memory = new AtomicLong();

  /** The part of {@link #memory} that the event loop knows of. */
  private long settled;

  /** The part of {@link #memory} for the replies of the segment that is being executed. */
  private long growing;

  private volatile boolean cut;
  private @Nullable Channel channel;

  /** A connection that was just accepted. */
  public Connection(Sessions sessions, EventLoop eventLoop, ConnectionLimits limits) {
    this.loop = sessions.loop(eventLoop);
    this.sessions = sessions;
    this.server = sessions.server();
    this.limits = limits;
    this.decoder = new RequestDecoder(limits.request(), true, this::admit);
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
    server.clients().budget().join(this);
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
      context.writeAndFlush(out.buffer(), context.voidPromise());
      account(context);
    }
  }

  private void pushBehind(ChannelHandlerContext context) {
    List<Consumer<ReplyWriter>> messages = List.copyOf(behind);
    behind.clear();
    messages.forEach(each -> push(context, each, false));
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    broken = true;
    forgetWaiting();
    drop();
    leave();
  }

  /** From now on nobody counts on the client, though the connection may end a little later. */
  private void leave() {
    server.clients().budget().leave(this);
    hold(0);
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

  private void forgetWaiting() {
    waiting.forEach(each -> requestBytes -= each.bytes());
    waiting.clear();
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
    if (pending < sending || sending == 0) {
      progress = System.nanoTime();
    }
    sending = pending;
    long kept = own == null ? 0 : own.bytes();
    parked = kept + (own != null && (own.waits() || own.paused) ? requestBytes : 0);
    hold(own == null || own.gone ? 0 : decoder.bytes() + buffered + pending + requestBytes + kept);
    limitOutput(context, own, pending);
    boolean reads = buffered + requestBytes < MOST_ARRIVED || !busy;
    if (context.channel().config().isAutoRead() != reads) {
      context.channel().config().setAutoRead(reads);
    }
  }

  /** Ends a client that does not read what is sent to it, at Redis' limits. */
  private void limitOutput(ChannelHandlerContext context, @Nullable Client own, long pending) {
    if (own == null || own.gone || cut) {
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
      cutOff();
    }
  }

  /** Whether more output waits than may for long, and since when. */
  private boolean overSoft;

  private long overSoftSince;

  /** Whether the request that is arriving may take more memory. */
  private boolean admit(long bytes) {
    if (!server.clients().budget().reserve(bytes)) {
      return false;
    }
    memory.addAndGet(bytes);
    settled += bytes;
    return true;
  }

  private void hold(long bytes) {
    change(bytes - settled);
    settled = bytes;
  }

  /** The replies that are being written have reached a size; on the executing thread. */
  private void grown(long bytes) {
    if (cut || !server.clients().budget().reserve(bytes - growing)) {
      throw new ReplyException("OOM " + RequestDecoder.NO_MEMORY);
    }
    memory.addAndGet(bytes - growing);
    growing = bytes;
  }

  private void change(long bytes) {
    if (bytes != 0) {
      memory.addAndGet(bytes);
      server.clients().budget().changed(bytes);
    }
  }

  @Override
  public long bytes() {
    return memory.get();
  }

  @Override
  public long kept() {
    Client own = client;
    boolean pushed = own != null && (own.subscriptions > 0 || own.monitors);
    return parked + (pushed || System.nanoTime() - progress > PATIENCE ? sending : 0);
  }

  @Override
  public long unread() {
    return parked + sending;
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
  public String address() {
    Client own = client;
    return own == null ? "" : own.address();
  }

  @Override
  public void cutOff() {
    cut = true;
    Channel own = channel;
    if (own != null) {
      own.close();
    }
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
      while (waiting.size() < (own.user == null ? 1 : MOST_WAITING)) {
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
            requestBytes += Request.OVERHEAD;
            continue;
          }
          if (command == null && next[0].length < 6 && HTTP.contains(Bytes.word(next[0]))) {
            broken = true; // a browser that was tricked into talking to us
            forgetWaiting();
            return "";
          }
          Request request = new Request(command, next);
          waiting.add(request);
          requestBytes += request.bytes();
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
    while (!busy && !waiting.isEmpty() && !own.closing && !cut && !pauses(context, own)) {
      List<Request> requests = new ArrayList<>(Math.min(waiting.size(), 64));
      Place place = take(own, requests);
      ByteBuf out = context.alloc().buffer(64 + 32 * requests.size());
      RequestBatch batch =
          new RequestBatch(
              sessions.runner(),
              own,
              requests,
              out,
              limits.output(),
              needsSnapshot,
              place == Place.LONG_READ || place == Place.LONG_WRITE,
              this::grown,
              each -> completed(context, own, each));
      own.since = server.listeners().tracking().latest();
      busy = true;
      switch (place) {
        case HERE -> {
          batch.executeLocally();
          batch.done();
        }
        case READ -> {
          if (executor.readsAtOnce(requests.size())) {
            executor.readNow(batch);
          } else {
            loop.read(batch);
          }
        }
        case LONG_READ -> loop.read(batch);
        case WRITE -> {
          if (executor.writesAtOnce(requests.size()) && !scripts) {
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
    if (!server.clients().pause().holds(own, waiting.element())) {
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
    forgetWaiting();
    if (!ended) {
      ended = true;
      drop();
      LingeringClose.after(context, last == null ? context.alloc().buffer(0) : last);
      leave();
    }
    last = null;
  }

  /** Whether what {@link #take} took runs scripts. */
  private boolean scripts;

  /** Whether what {@link #take} took may wait for other clients. */
  private boolean waits;

  /** Whether what {@link #take} took must read from one moment. */
  private boolean needsSnapshot;

  private enum Place {
    HERE,
    READ,
    LONG_READ,
    WRITE,
    LONG_WRITE
  }

  /** Takes requests that can be executed together, and returns where. */
  private Place take(Client own, List<Request> requests) {
    boolean multi = own.inMulti();
    Place place = Place.HERE;
    needsSnapshot = false;
    scripts = false;
    waits = false;
    long bytes = 0;
    while (!waiting.isEmpty() && requests.size() < MOST_REQUESTS && bytes < MOST_BYTES) {
      Request next = refusedIfBusy(waiting.element(), multi);
      Place its = place(next, multi);
      boolean isLong = its == Place.LONG_READ || its == Place.LONG_WRITE || waits(next);
      if (!requests.isEmpty() && (isLong || server.clients().pause().holds(own, next))) {
        break;
      }
      requests.add(next);
      waiting.remove();
      place = its.compareTo(place) > 0 ? its : place;
      Command command = next.command();
      // EXEC may end the block, and ends it if it is refused
      multi = multi && its == Place.HERE && (command == null || !isExec(command));
      needsSnapshot |= command != null && command.is(Flag.SNAPSHOT);
      waits |= waits(next);
      scripts |= command != null && (command.is(Flag.SCRIPT) || endsWithScripts(own, command));
      if (isLong || (command != null && command.is(Flag.PAUSES))) {
        break;
      }
      bytes += next.bytes();
    }
    return place;
  }

  /** Whether this is EXEC, and its block has scripts. */
  private static boolean endsWithScripts(Client own, Command command) {
    List<Request> block = own.queue;
    return block != null
        && isExec(command)
        && block.stream()
            .map(Request::command)
            .anyMatch(each -> each != null && each.is(Flag.SCRIPT));
  }

  /** While a script holds up those who write, they are told so; reads go on. */
  private Request refusedIfBusy(Request request, boolean multi) {
    Command command = request.command();
    if (!sessions.scripts().busy()
        || command == null
        || (command.is(Flag.AT_ONCE) && !isExec(command))) {
      return request;
    }
    boolean reads = command.is(Flag.READONLY) && !command.is(Flag.SCRIPT) && !multi;
    boolean served = reads && place(request, false).compareTo(Place.WRITE) < 0;
    return served || command.is(Flag.BUSY)
        ? request
        : new Request(command, request.words(), request.bytes(), BUSY);
  }

  private Place place(Request request, boolean multi) {
    Command command = request.command();
    int words = request.words().length;
    boolean fits = command != null && (command.fits(words) || isExec(command));
    if (command == null || !fits || command.is(Flag.LOCAL) || request.refusal() != null) {
      return Place.HERE;
    }
    if (multi) {
      return command.is(Flag.AT_ONCE) ? Place.WRITE : Place.HERE;
    }
    boolean takesLong =
        command.is(Flag.LONG) || words > LONG_REQUEST || request.bytes() > MOST_BYTES;
    if (command.is(Flag.WRITE)
        || command.is(Flag.TURN)
        || waits(request)
        || (command.is(Flag.SNAPSHOT) && !server.executor().snapshots())) {
      return takesLong ? Place.LONG_WRITE : Place.WRITE;
    }
    return takesLong ? Place.LONG_READ : Place.READ;
  }

  /** Whether a request may wait, which begins at a turn to write. */
  private static boolean waits(Request request) {
    Command command = request.command();
    return command != null
        && command.is(Flag.BLOCKING)
        && (command.first() > 0 || command.is(Flag.NUMBERED) || StreamReads.waits(request.words()));
  }

  /** EXEC ends the block even if it is malformed, at its turn to write. */
  private static boolean isExec(Command command) {
    return command.is(Flag.EXECUTES);
  }

  /** A segment was executed, on this thread or another. */
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
    change(-growing);
    growing = 0;
    for (Request each : batch.executed()) {
      requestBytes -= each.bytes();
    }
    List<Request> left = batch.left();
    for (int i = left.size() - 1; i >= 0; i--) {
      waiting.addFirst(left.get(i));
    }
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
    boolean mayWait = (busy && waits) || waiting.stream().anyMatch(Connection::waits);
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
          new IllegalStateException("the connection of " + address() + " failed: " + cause, cause));
    }
    context.close();
  }
}
