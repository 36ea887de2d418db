package io.kvstadium.server.session;

import io.kvstadium.server.client.Client;
import io.kvstadium.server.command.CommandRunner;
import io.kvstadium.server.database.Databases;
import io.kvstadium.server.execute.CommitGroup;
import io.kvstadium.server.execute.Task;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.server.protocol.Request;
import io.kvstadium.store.FullException;
import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Requests of one connection that are executed together, in order. */
public final class RequestBatch implements Task {
  /** Bytes of replies after which the rest of the requests waits for the next commit group. */
  private static final int ENOUGH = 1 << 20;

  private final CommandRunner runner;
  private final Client client;
  private final List<Request> requests;
  private final ReplyWriter reply;
  private final boolean needsSnapshot;
  private final boolean isLong;
  private final Consumer<RequestBatch> done;
  private int executed;

  /**
   * Requests to be executed.
   *
   * @param out for the replies; the receiver of {@code done} releases it
   * @param needsSnapshot whether everything they read must be from one moment
   * @param isLong whether they may take long
   * @param growth receives the size of the replies as they grow
   * @param done called on the thread that executed it
   */
  RequestBatch(
      CommandRunner runner,
      Client client,
      List<Request> requests,
      ByteBuf out,
      int limit,
      boolean needsSnapshot,
      boolean isLong,
      LongConsumer growth,
      Consumer<RequestBatch> done) {
    this.runner = runner;
    this.client = client;
    this.requests = requests;
    this.reply = new ReplyWriter(out, client.protocol, limit, growth);
    this.needsSnapshot = needsSnapshot;
    this.isLong = isLong;
    this.done = done;
  }

  ByteBuf replies() {
    return reply.buffer();
  }

  @Override
  public void prefetch(CommitGroup commitGroup) {
    if (client.inMulti()) {
      return; // queued, or EXEC: its requests are not named ahead
    }
    Databases.View view = runner.server().view(commitGroup);
    for (Request request : left()) {
      runner.prefetch(client, request, view);
    }
  }

  @Override
  public void execute(CommitGroup commitGroup) {
    Databases.View view = runner.server().view(commitGroup);
    view.clock(System.nanoTime());
    while (isNext() && reply.size() < ENOUGH) {
      runner.execute(client, requests.get(executed), view, reply);
      executed++; // unless it must be read in the store, by another thread
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
      runner.execute(client, requests.get(executed++), null, reply);
    }
  }

  /** What comes after a QUIT is not executed. */
  private boolean isNext() {
    return executed < requests.size() && !client.closing;
  }

  @Override
  public int requests() {
    return requests.size();
  }

  @Override
  public boolean needsSnapshot() {
    return needsSnapshot;
  }

  @Override
  public boolean isLong() {
    return isLong;
  }

  @Override
  public boolean needsSync() {
    return client.needsSync;
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
    Client.Blocked blocked = client.blocked;
    if (blocked == null) {
      done.accept(this);
    } else {
      blocked.begun(() -> done.accept(this)); // its request is alone in this batch
    }
  }

  @Override
  public void failed(RuntimeException cause) {
    Client.Blocked blocked = client.blocked;
    if (blocked != null) {
      blocked.abandon();
    }
    String text =
        (cause instanceof FullException ? "MISCONF " : "ERR ")
            + "nothing of this was written: "
            + cause.getMessage();
    fail(cause, text);
    done.accept(this);
  }

  private void fail(RuntimeException cause, String text) {
    runner.server().report(cause);
    reply.reset(0);
    requests.forEach(_ -> reply.error(text));
    executed = requests.size(); // none goes into another commit group, where it might fail forever
  }
}
