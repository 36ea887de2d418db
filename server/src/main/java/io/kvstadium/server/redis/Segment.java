package io.kvstadium.server.redis;

import io.kvstadium.server.round.Round;
import io.kvstadium.server.round.Work;
import io.kvstadium.store.FullException;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Requests of one connection that are executed together, in their order. */
final class Segment implements Work {
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
   * @param out for the replies; whoever is told that it is done releases it
   * @param whole whether what they read has to be of one moment
   * @param alone whether they may take long
   * @param growth is told how large the replies have become
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
      return; // put off, or EXEC: its requests announce what they read one by one
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

  /** Requests that were not executed since the replies to the first of them are large. */
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

  /** What comes behind a QUIT is not executed. */
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
    Waiter waiter = client.waiter;
    if (waiter == null) {
      done.accept(this);
    } else {
      waiter.begun(() -> done.accept(this)); // its request is alone in here
    }
  }

  @Override
  public void failed(RuntimeException cause) {
    Waiter waiter = client.waiter;
    if (waiter != null) {
      waiter.abandon();
    }
    reply.reset(0);
    String text =
        (cause instanceof FullException ? "MISCONF " : "ERR ")
            + "nothing of this was written: "
            + cause.getMessage();
    redis.report(cause);
    requests.forEach(_ -> reply.error(text));
    executed = requests.size(); // none goes into another round, where it might fail for ever
    done.accept(this);
  }
}
