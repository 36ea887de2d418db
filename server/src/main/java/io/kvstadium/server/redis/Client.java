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

  /** Which replies are sent. */
  enum Replies {
    ALL,
    NONE,
    /** Not the next one. */
    SKIP
  }

  /** A key that must not change before EXEC. */
  record Watched(Database database, Bytes key, boolean alive) {}

  private final long id = LAST.incrementAndGet();
  private final String address;
  private final String localAddress;
  private final long created;
  private final Consumer<Consumer<ReplyWriter>> sender;

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

  volatile Replies replies = Replies.ALL;
  boolean power;

  /** The requests of a MULTI block, or {@code null} outside. */
  volatile @Nullable List<byte[][]> queue;

  boolean queueBroken;
  private final List<Watched> watched = new ArrayList<>();
  private volatile boolean spoiled;

  /** How many channels and patterns it listens to. */
  volatile int subscriptions;

  /**
   * A client that has just connected.
   *
   * @param now Unix time in milliseconds
   * @param sender sends what is written by what it is given; safe for all threads
   */
  Client(String address, String localAddress, long now, Consumer<Consumer<ReplyWriter>> sender) {
    this.sender = sender;
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
    sender.accept(message);
  }

  /** Whether a command of it waits for something, and could be ended. */
  boolean waits() {
    Waiter now = waiter;
    return now != null && now.waits();
  }

  long id() {
    return id;
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
    key.database().watch(key.key(), this);
  }

  /** Forgets what was watched. Only at one's turn to write. */
  void unwatch() {
    watched.forEach(each -> each.database().unwatch(each.key(), this));
    watched.clear();
    spoiled = false;
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
    queueBroken = false;
  }
}
