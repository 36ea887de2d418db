package io.kvstadium.server.redis;

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
final class Client {
  private static final AtomicLong LAST = new AtomicLong();

  /** The memory of a watched key or a subscribed channel, without its name. */
  static final int WATCH_BYTES = 200;

  /** Which replies are sent. */
  enum Replies {
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
  record Tracked(
      long redirect,
      boolean broadcast,
      boolean optIn,
      boolean optOut,
      boolean noLoop,
      boolean isBroken,
      List<byte[]> prefixes) {
    /** The prefixes of a client; none if it does not track. */
    static List<byte[]> prefixesOf(@Nullable Tracked how) {
      return how == null ? List.of() : how.prefixes();
    }

    Tracked broken() {
      return new Tracked(redirect, broadcast, optIn, optOut, noLoop, true, prefixes);
    }
  }

  /** Something that ends later, on another thread. */
  interface Ending {
    /**
     * Begins.
     *
     * @param ended gets why it failed, or {@code null}
     */
    void begin(Consumer<@Nullable RuntimeException> ended);
  }

  private final Queue<Ending> endings = new ConcurrentLinkedQueue<>();

  /** Sends messages to one client. Safe for all threads. */
  interface Sender {
    /**
     * Sends a message.
     *
     * @param behind whether it comes after the replies to what is being executed
     */
    void send(Consumer<ReplyWriter> message, boolean behind);
  }

  /** What a connection holds, in bytes. May be called by any thread; approximate. */
  interface Buffers {
    /** Bytes that have arrived and are not executed yet. */
    long input();

    /** The free part of the memory for input. */
    long inputFree();

    /** Bytes to be sent. */
    long output();

    /** All of it. */
    long held();
  }

  /** A key that must not change before EXEC. */
  record Watched(Database database, Bytes key, boolean alive) {}

  private final long id = LAST.incrementAndGet();
  private final String address;
  private final String localAddress;
  private final long created;
  private final Sender sender;
  private final Buffers buffers;

  volatile String name = "";
  volatile String libraryName = "";
  volatile String libraryVersion = "";
  volatile int database;
  volatile int protocol = 2;
  volatile @Nullable String user;
  volatile String lastCommand = "NULL";
  volatile long lastUsed;
  volatile boolean closing;

  /** The connection has ended. */
  volatile boolean gone;

  /** What it waits for, or {@code null}. */
  volatile @Nullable Waiter waiter;

  /** Whether it continues when a {@link Pause} is over. */
  volatile boolean paused;

  /** Whether it is shown every request. */
  volatile boolean monitors;

  /** How it caches what it reads, or {@code null}. */
  volatile @Nullable Tracked tracked;

  /** What CLIENT CACHING set for the next request. */
  volatile @Nullable Boolean caching;

  /** The latest change when the current requests began; see {@link Tracking}. */
  long since;

  volatile Replies replies = Replies.ALL;
  boolean power;

  /** The requests of a MULTI block, or {@code null} outside. */
  volatile @Nullable List<Request> queue;

  /** The size of {@link #queue}. Changed by the thread that executes its requests. */
  volatile long queuedBytes;

  /** The size of the names that it listens to. Changed by {@link Channels}. */
  volatile long listenedBytes;

  /** The size of the watched keys. Changed by the thread that executes its requests. */
  private volatile long watchedBytes;

  boolean queueBroken;
  private final List<Watched> watched = new ArrayList<>();
  private volatile boolean spoiled;

  /** How many channels and patterns it listens to. */
  volatile int subscriptions;

  /**
   * A client that has just connected.
   *
   * @param now Unix time in milliseconds
   */
  Client(String address, String localAddress, long now, Sender sender, Buffers buffers) {
    this.sender = sender;
    this.buffers = buffers;
    this.address = address;
    this.localAddress = localAddress;
    this.created = now;
    this.lastUsed = now;
  }

  /** How many clients have connected. */
  static long connected() {
    return LAST.get();
  }

  /** Sends a message that answers no request. May be called by any thread. */
  void push(Consumer<ReplyWriter> message) {
    sender.send(message, false);
  }

  /** Sends a message after the replies to what is being executed. */
  void pushBehind(Consumer<ReplyWriter> message) {
    sender.send(message, true);
  }

  Buffers buffers() {
    return buffers;
  }

  /** Adds what must have ended before the running requests are answered, but not in their turn. */
  void beforeAnswer(Ending task) {
    endings.add(task);
  }

  /** Takes the next of these, or {@code null}. */
  @Nullable Ending nextEnding() {
    return endings.poll();
  }

  /** Whether one of its commands waits for something, and could be ended. */
  boolean waits() {
    Waiter now = waiter;
    return now != null && now.waits();
  }

  long id() {
    return id;
  }

  /** It has sent a request for a command. */
  void ran(Command command) {
    if (!lastCommand.equals(command.name())) { // saves a volatile write in repetitive pipelines
      lastCommand = command.name();
    }
  }

  String address() {
    return address;
  }

  String localAddress() {
    return localAddress;
  }

  long created() {
    return created;
  }

  boolean inMulti() {
    return queue != null;
  }

  List<Watched> watched() {
    return watched;
  }

  void watch(Watched key) {
    watched.add(key);
    watchedBytes = watchedBytes + key.key().value().length + WATCH_BYTES;
    key.database().watch(key.key(), this);
  }

  /** Forgets what was watched. Only during a turn to write. */
  void unwatch() {
    watched.forEach(each -> each.database().unwatch(each.key(), this));
    watched.clear();
    watchedBytes = 0;
    spoiled = false;
  }

  /** Roughly what the server keeps for it, in bytes. May be called by any thread. */
  long bytes() {
    return queuedBytes
        + listenedBytes
        + watchedBytes
        + name.length()
        + libraryName.length()
        + libraryVersion.length();
  }

  /** A watched key has changed. */
  void spoil() {
    spoiled = true;
  }

  boolean spoiled() {
    return spoiled;
  }

  /** Ends a MULTI block. */
  void endMulti() {
    queue = null;
    queuedBytes = 0;
    queueBroken = false;
  }
}
