package io.kvstadium.server.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one connection has set and begun. Belongs to whoever executes its requests, one at a time;
 * only {@link #spoil} and what is volatile may be touched by others.
 */
final class Client {
  private static final AtomicLong LAST = new AtomicLong();

  /** What watching a key, or listening to a channel, takes beside its name. */
  static final int WATCH_BYTES = 200;

  /** Which replies are sent. */
  enum Replies {
    ALL,
    NONE,
    /** Not the next one. */
    SKIP,
    /** Not this one. */
    SKIPPING
  }

  /**
   * That a client keeps what it reads, and wants to know when it changes.
   *
   * @param redirect which client is told instead, or 0
   * @param broadcast whether it is told of all keys that begin with one of {@code prefixes}
   * @param optIn whether only what is read behind CLIENT CACHING YES is kept
   * @param optOut whether all but what is read behind CLIENT CACHING NO is kept
   * @param noLoop whether it is not told of its own changes
   * @param isBroken whether who was to be told is gone
   */
  record Tracked(
      long redirect,
      boolean broadcast,
      boolean optIn,
      boolean optOut,
      boolean noLoop,
      boolean isBroken,
      List<byte[]> prefixes) {
    /** The prefixes of somebody who tracks, or of nobody. */
    static List<byte[]> prefixesOf(@Nullable Tracked how) {
      return how == null ? List.of() : how.prefixes();
    }

    Tracked broken() {
      return new Tracked(redirect, broadcast, optIn, optOut, noLoop, true, prefixes);
    }
  }

  /** Sends what is written by what it is given, to one client. Safe for all threads. */
  interface Sender {
    /**
     * Sends a message.
     *
     * @param behind whether it comes behind the replies to what is being executed
     */
    void send(Consumer<ReplyWriter> message, boolean behind);
  }

  /** What a connection holds, in bytes. May be asked by any thread; about right. */
  interface Buffers {
    /** Has arrived and is not executed yet. */
    long input();

    /** What the memory for that could take besides. */
    long inputFree();

    /** Is to be sent. */
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

  /** Whether it goes on when a {@link Pause} is over. */
  volatile boolean paused;

  /** Whether it is shown every request. */
  volatile boolean monitors;

  /** Whether it keeps what it reads, and how; or {@code null}. */
  volatile @Nullable Tracked tracked;

  /** What CLIENT CACHING said of the next request. */
  volatile @Nullable Boolean caching;

  /** The latest change when the requests that are being executed began; see {@link Tracking}. */
  long since;

  volatile Replies replies = Replies.ALL;
  boolean power;

  /** The requests of a MULTI block, or {@code null} outside. */
  volatile @Nullable List<Request> queue;

  /** Of {@link #queue}. Changed by whoever executes its requests. */
  volatile long queuedBytes;

  /** The names of channels and patterns that it listens to. Changed by {@link Channels}. */
  volatile long listenedBytes;

  /** The names of watched keys. Changed by whoever executes its requests. */
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

  /** How many there have been. */
  static long connected() {
    return LAST.get();
  }

  /** Sends a message that answers no request. May be called by any thread. */
  void push(Consumer<ReplyWriter> message) {
    sender.send(message, false);
  }

  /** The same, behind the replies to what is being executed. */
  void pushBehind(Consumer<ReplyWriter> message) {
    sender.send(message, true);
  }

  Buffers buffers() {
    return buffers;
  }

  /** Whether a command of it waits for something, and could be ended. */
  boolean waits() {
    Waiter now = waiter;
    return now != null && now.waits();
  }

  long id() {
    return id;
  }

  /** It has sent a request of a command. */
  void ran(Command command) {
    if (!lastCommand.equals(command.name())) { // a volatile write, and pipelines repeat themselves
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

  /** Forgets what was watched. Only at one's turn to write. */
  void unwatch() {
    watched.forEach(each -> each.database().unwatch(each.key(), this));
    watched.clear();
    watchedBytes = 0;
    spoiled = false;
  }

  /** What the server keeps for it, in bytes, about. May be asked by any thread. */
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
