package io.kvstadium.server.session;

import io.kvstadium.server.client.Budget;
import io.kvstadium.server.client.Client;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.RequestDecoder;
import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The memory that one connection takes, as the budget of all clients sees it. Belongs to the event
 * loop, but for what says otherwise.
 */
final class MemoryAccount implements Budget.Holder {
  /** A client that takes longer to read a reply is not waited for when memory is short. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

  private final Budget budget;
  private final AtomicLong memory = new AtomicLong();

  /** The part of the memory that the event loop knows of. */
  private long stable;

  /** The part of the memory for the replies of the batch that is being executed. */
  private long growing;

  /** Bytes that are being sent, and when some of them were. */
  private volatile long sending;

  private volatile long progress;

  /** The size of what waits behind a request that itself waits, and of what the client keeps. */
  private volatile long parked;

  private volatile boolean cut;
  private volatile @Nullable Client client;
  private volatile @Nullable Channel channel;

  MemoryAccount(Budget budget) {
    this.budget = budget;
  }

  /** The client has connected. */
  void open(Client connected, Channel over) {
    client = connected;
    channel = over;
    budget.join(this);
  }

  /** The client is gone. */
  void close() {
    budget.leave(this);
    hold(0);
  }

  /** Whether the client was cut off. */
  boolean isCut() {
    return cut;
  }

  /**
   * What it takes now.
   *
   * @param pending bytes to be sent
   * @param waiting bytes behind a request that itself waits, and of what the client keeps
   * @param all bytes that it takes
   */
  void update(long pending, long waiting, long all) {
    if (pending < sending || sending == 0) {
      progress = System.nanoTime();
    }
    sending = pending;
    parked = waiting;
    hold(all);
  }

  /** Whether the request that is arriving may take more memory. */
  boolean admit(long bytes) {
    if (!budget.reserve(bytes)) {
      return false;
    }
    memory.addAndGet(bytes);
    stable += bytes;
    return true;
  }

  private void hold(long bytes) {
    change(bytes - stable);
    stable = bytes;
  }

  /** The replies that are being written have reached a size; on the executing thread. */
  void grown(long bytes) {
    if (cut || !budget.reserve(bytes - growing)) {
      throw new ReplyException("OOM " + RequestDecoder.NO_MEMORY);
    }
    memory.addAndGet(bytes - growing);
    growing = bytes;
  }

  /** The replies that grew are handed over to be sent. */
  void executed() {
    change(-growing);
    growing = 0;
  }

  private void change(long bytes) {
    if (bytes != 0) {
      memory.addAndGet(bytes);
      budget.changed(bytes);
    }
  }

  @Override
  public long bytes() {
    return memory.get();
  }

  @Override
  public long kept() {
    Client own = client;
    if (own != null && own.noEvict) {
      return 0;
    }
    boolean pushed = own != null && (own.subscriptions > 0 || own.monitors);
    return parked + (pushed || System.nanoTime() - progress > PATIENCE ? sending : 0);
  }

  @Override
  public long unread() {
    return parked + sending;
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
      var _ = own.close();
    }
  }
}
