package io.kvstadium.server.session;

import io.kvstadium.server.command.Client;
import io.kvstadium.server.command.Redis;
import io.kvstadium.server.command.Waiter;
import io.kvstadium.server.database.Databases;
import io.kvstadium.server.execute.Round;
import io.kvstadium.server.execute.Work;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.server.protocol.Request;
import io.kvstadium.store.FullException;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Requests of one connection that are executed together, in order. */
public final class Segment implements Work {
  /** Bytes of replies after which the rest of the requests waits for the next round. */
  private static final int ENOUGH = 1 << 20;

  private final Redis redis;
  private final Client client;
  private final List<Request> requests;
  private final ReplyWriter reply;
  private final boolean whole;
  private final boolean alone;
  private final Consumer<Segment> done;
  private int executed;

  /**
   * Requests to be executed.
   *
   * @param out for the replies; the receiver of {@code done} releases it
   * @param whole whether everything they read must be from one moment
   * @param alone whether they may take long
   * @param growth receives the size of the replies as they grow
   * @param done called on the thread that executed it
   */
  Segment(
      Redis redis,
      Client client,
      List<Request> requests,
      ByteBuf out,
      int limit,
      boolean whole,
      boolean alone,
      LongConsumer growth,
      Consumer<Segment> done) {
    this.redis = redis;
    this.client = client;
    this.requests = requests;
    this.reply = new ReplyWriter(out, client.protocol, limit, growth);
    this.whole = whole;
    this.alone = alone;
    this.done = done;
  }

  ByteBuf replies() {
    return reply.buffer();
  }

  @Override
  public void announce(Round round) {
    if (client.inMulti()) {
      return; // queued, or EXEC: its requests announce what they read one by one
    }
    Databases.View view = redis.view(round);
    for (Request request : requests) {
      redis.announce(client, request, view);
    }
  }

  @Override
  public void execute(Round round) {
    Databases.View view = redis.view(round);
    view.clock(System.nanoTime());
    while (isNext() && reply.size() < ENOUGH) {
      redis.execute(client, requests.get(executed++), view, reply);
    }
  }

  /** Requests that were not executed because the replies to the earlier ones are large. */
  List<Request> left() {
    return requests.subList(executed, requests.size());
  }

  /** Requests that were executed. */
  List<Request> executed() {
    return requests.subList(0, executed);
  }

  /** Executes requests that need no store. */
  void executeLocally() {
    while (isNext()) {
      redis.execute(client, requests.get(executed++), null, reply);
    }
  }

  /** What comes after a QUIT is not executed. */
  private boolean isNext() {
    return executed < requests.size() && !client.closing;
  }

  @Override
  public int pieces() {
    return requests.size();
  }

  @Override
  public boolean whole() {
    return whole;
  }

  @Override
  public boolean alone() {
    return alone;
  }

  @Override
  public boolean power() {
    return client.power;
  }

  @Override
  public void done() {
    Client.Ending ending = client.nextEnding();
    if (ending == null) {
      answer();
    } else {
      ending.begin(failure -> {
        if (failure != null) {
          fail(failure, "ERR " + failure.getMessage());
        }
        done(); // there may be more
      });
    }
  }

  private void answer() {
    Waiter waiter = client.waiter;
    if (waiter == null) {
      done.accept(this);
    } else {
      waiter.begun(() -> done.accept(this)); // its request is alone in this segment
    }
  }

  @Override
  public void failed(RuntimeException cause) {
    Waiter waiter = client.waiter;
    if (waiter != null) {
      waiter.abandon();
    }
    String text =
        (cause instanceof FullException ? "MISCONF " : "ERR ")
            + "nothing of this was written: "
            + cause.getMessage();
    fail(cause, text);
    done.accept(this);
  }

  private void fail(RuntimeException cause, String text) {
    redis.report(cause);
    reply.reset(0);
    requests.forEach(_ -> reply.error(text));
    executed = requests.size(); // none goes into another round, where it might fail forever
  }
}
