package io.kvstadium.server.client;

import io.kvstadium.server.database.Database;
import io.kvstadium.server.database.KeyWatcher;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Command;
import io.kvstadium.server.protocol.ReplyWriter;
import io.kvstadium.server.protocol.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of one connection. Belongs to the thread that executes its requests, one at a time;
 * others may touch only {@link #spoil} and volatile fields.
 */
public final class Client implements KeyWatcher {
  private static final AtomicLong LAST = new AtomicLong();

  /** The memory of a watched key or a subscribed channel, without its name. */
  public static final int WATCH_BYTES = 200;

  /** Which replies are sent. */
  public enum Replies {
    ALL,
    NONE,
    /** All but the next one. */
    SKIP,
    /** All but this one. */
    SKIPPING
  }

  /**
   * The settings of a client that caches what it reads and wants to know when it changes.
   *
   * @param redirect the client that is notified instead, or 0
   * @param broadcast whether it is notified of all keys that begin with one of {@code prefixes}
   * @param optIn whether only what is read after CLIENT CACHING YES is cached
   * @param optOut whether everything but what is read after CLIENT CACHING NO is cached
   * @param noLoop whether it is not notified of its own changes
   * @param isBroken whether the client to notify instead is gone
   */
  public record Tracked(
      long redirect,
      boolean broadcast,
      boolean optIn,
      boolean optOut,
      boolean noLoop,
      boolean isBroken,
      List<byte[]> prefixes) {
    /** The prefixes of a client; none if it does not track. */
    public static List<byte[]> prefixesOf(@Nullable Tracked how) {
      return how == null ? List.of() : how.prefixes();
    }

    public Tracked broken() {
      return new Tracked(redirect, broadcast, optIn, optOut, noLoop, true, prefixes);
    }
  }

  /** Something that ends later, on another thread. */
  public interface Ending {
    /**
     * Begins.
     *
     * @param ended gets why it failed, or {@code null}
     */
    void begin(Consumer<@Nullable RuntimeException> ended);
  }

  /** What a client waits for. Safe for all threads. */
  public interface Blocked {
    /** Whether it can be ended or is being served. */
    boolean waits();

    /** Ends the wait as if its time were over; returns whether it was waiting. */
    boolean timeout();

    /** Ends the wait with another answer; returns whether it was waiting. */
    boolean end(Consumer<ReplyWriter> answer);

    /**
     * The commit group in which it began is written.
     *
     * @param whenAnswered called once it has an answer, on any thread
     */
    void begun(Runnable whenAnswered);

    /** The commit group in which it began failed, and the failure is its answer. */
    void abandon();
  }

  private final Queue<Ending> endings = new ConcurrentLinkedQueue<>();

  /** Sends messages to one client. Safe for all threads. */
  public interface Sender {
    /**
     * Sends a message.
     *
     * @param behind whether it comes after the replies to what is being executed
     */
    void send(Consumer<ReplyWriter> message, boolean behind);
  }

  /** What a connection holds, in bytes. May be called by any thread; approximate. */
  public interface Buffers {
    /** Bytes that have arrived and are not executed yet. */
    long input();

    /** The free part of the memory for input. */
    long inputFree();

    /** Bytes to be sent. */
    long output();

    /** All of it. */
    long bytes();
  }

  /** A key that must not change before EXEC. */
  public record Watched(Database database, Bytes key, boolean alive) {}

  private final long id = LAST.incrementAndGet();
  private final String address;
  private final String localAddress;
  private final long created;
  private final Sender sender;
  private final Buffers buffers;

  public volatile String name = "";
  public volatile String libraryName = "";
  public volatile String libraryVersion = "";
  public volatile int database;
  public volatile int protocol = 2;
  public volatile @Nullable String user;
  public volatile String lastCommand = "NULL";
  public volatile long lastUsed;
  public volatile boolean closing;

  /** The connection has ended. */
  public volatile boolean gone;

  /** What it waits for, or {@code null}. */
  public volatile @Nullable Blocked blocked;

  /** Whether it continues when a {@link Pause} is over. */
  public volatile boolean paused;

  /** Whether it is shown every request. */
  public volatile boolean monitors;

  /** How it caches what it reads, or {@code null}. */
  public volatile @Nullable Tracked tracked;

  /** What CLIENT CACHING set for the next request. */
  public volatile @Nullable Boolean caching;

  /** The latest change when the current requests began; see {@code Tracking}. */
  public long since;

  public volatile Replies replies = Replies.ALL;
  public boolean needsSync;

  /** The requests of a MULTI block, or {@code null} outside. */
  public volatile @Nullable List<Request> queue;

  /** The size of {@link #queue}. Changed by the thread that executes its requests. */
  public volatile long queuedBytes;

  /** The size of the names that it listens to. Changed by {@code Channels}. */
  public volatile long listenedBytes;

  /** The size of the watched keys. Changed by the thread that executes its requests. */
  private volatile long watchedBytes;

  public boolean queueBroken;
  private final List<Watched> watched = new ArrayList<>();
  private volatile boolean spoiled;

  /** Whether it may keep memory that others need. */
  public volatile boolean noEvict;

  /** How many channels, patterns and shard channels it listens to. */
  public volatile int subscriptions;

  /** How many of them are patterns. */
  public volatile int patterns;

  /** How many of them are shard channels. */
  public volatile int shardChannels;

  /**
   * A client that has just connected.
   *
   * @param now Unix time in milliseconds
   */
  public Client(String address, String localAddress, long now, Sender sender, Buffers buffers) {
    this.sender = sender;
    this.buffers = buffers;
    this.address = address;
    this.localAddress = localAddress;
    this.created = now;
    this.lastUsed = now;
  }

  /** How many clients have connected. */
  public static long connected() {
    return LAST.get();
  }

  /** Sends a message that answers no request. May be called by any thread. */
  public void push(Consumer<ReplyWriter> message) {
    sender.send(message, false);
  }

  /** Sends a message after the replies to what is being executed. */
  public void pushBehind(Consumer<ReplyWriter> message) {
    sender.send(message, true);
  }

  public Buffers buffers() {
    return buffers;
  }

  /** Adds what must have ended before the running requests are answered, but not in their turn. */
  public void beforeAnswer(Ending task) {
    endings.add(task);
  }

  /** Takes the next of these, or {@code null}. */
  public @Nullable Ending nextEnding() {
    return endings.poll();
  }

  /** Whether one of its commands waits for something, and could be ended. */
  public boolean waits() {
    Blocked now = blocked;
    return now != null && now.waits();
  }

  public long id() {
    return id;
  }

  /** It has sent a request for a command. */
  public void ran(Command command) {
    if (!lastCommand.equals(command.name())) { // saves a volatile write in repetitive pipelines
      lastCommand = command.name();
    }
  }

  public String address() {
    return address;
  }

  public String localAddress() {
    return localAddress;
  }

  public long created() {
    return created;
  }

  public boolean inMulti() {
    return queue != null;
  }

  public List<Watched> watched() {
    return watched;
  }

  public void watch(Watched key) {
    watched.add(key);
    watchedBytes = watchedBytes + key.key().value().length + WATCH_BYTES;
    key.database().watch(key.key(), this);
  }

  /** Forgets what was watched. Only during a turn to write. */
  public void unwatch() {
    watched.forEach(each -> each.database().unwatch(each.key(), this));
    watched.clear();
    watchedBytes = 0;
    spoiled = false;
  }

  /** Roughly what the server keeps for it, in bytes. May be called by any thread. */
  public long bytes() {
    return queuedBytes
        + listenedBytes
        + watchedBytes
        + name.length()
        + libraryName.length()
        + libraryVersion.length();
  }

  @Override
  public void spoil() {
    spoiled = true;
  }

  public boolean spoiled() {
    return spoiled;
  }

  /** Ends a MULTI block. */
  public void endMulti() {
    queue = null;
    queuedBytes = 0;
    queueBroken = false;
  }
}
