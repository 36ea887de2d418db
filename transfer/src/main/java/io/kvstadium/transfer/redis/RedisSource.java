package io.kvstadium.transfer.redis;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.StoreIoException;
import io.kvstadium.transfer.redis.RespLink.Failed;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a running server: SCAN names them, DUMP and PTTL read them. What its clients change
 * meanwhile, CLIENT TRACKING tells; such keys are read again.
 */
public final class RedisSource extends KeySource {
  private static final byte[] SCAN_COUNT = RespLink.bytes("500");
  private static final byte[] DUMP = RespLink.bytes("DUMP");
  private static final byte[] PTTL = RespLink.bytes("PTTL");

  /** The most keys, and about the most bytes, that are requested at once. */
  private static final int MAX_KEYS = 128;

  private static final long MAX_BYTES = 4 << 20;

  /** More changed keys are not remembered: they take some 100 bytes each. */
  private static final int MAX_CHANGED = 1_000_000;

  /** How often what changed is read again once everything was scanned. */
  private static final int PASSES = 5;

  private static final Pattern DATABASE = Pattern.compile("(?m)^db(\\d+):keys=(\\d+)");

  /** While nothing changes, how long until the server is asked again. */
  private static final long PAUSE_MILLIS = 100;

  private final RespLink link;

  /** Whether the changes are followed, and until when. */
  private final @Nullable BooleanSupplier ended;

  /** The only database, or negative for all. */
  private int only = -1;

  private final Map<Integer, Long> databases = new TreeMap<>();
  private final Deque<Integer> unscanned = new ArrayDeque<>();
  private final boolean tracked;
  private final Set<ByteBuffer> changed = new LinkedHashSet<>();
  private final Deque<Requested> waiting = new ArrayDeque<>();
  private final Deque<Item> ready = new ArrayDeque<>();
  private int selected = -1;
  private int scanning;
  private byte @Nullable [] cursor;
  private long average = 100;
  private int passes;
  private boolean lastPass;
  private long again;
  private long forgotten;
  private boolean flushed;

  /** A key to be read. */
  private record Requested(int database, ByteBuffer key) {}

  /**
   * Connects to a server.
   *
   * @param url with the number of a database, or without for all
   * @param password if the URL has none, or {@code null}
   * @param ended if it is not {@code null}, what changes is read again until this is true, and then
   *     once more
   */
  public RedisSource(String url, @Nullable String password, @Nullable BooleanSupplier ended) {
    this.ended = ended;
    URI uri = RespLink.address(url);
    link = new RespLink(uri, this::pushed);
    try {
      boolean pushes = logIn(uri, password);
      examine(uri.getPath());
      tracked = pushes && !(link.call("CLIENT", "TRACKING", "ON", "BCAST") instanceof Failed);
      link.need("PING"); // what was told before anything is read concerns nothing
      flushed = false;
      changed.clear();
      if (ended != null && !tracked) {
        throw new BadArgumentException(
            link.name()
                + " cannot tell what its clients change (CLIENT TRACKING, Redis 6), so that it cannot"
                + " be followed: stop the writers, and import without --follow");
      }
    } catch (RuntimeException e) {
      link.close();
      throw e;
    }
  }

  /** Returns whether the server can send what nobody asked for. */
  private boolean logIn(URI uri, @Nullable String other) {
    String given = uri.getUserInfo() == null ? "" : uri.getUserInfo();
    int colon = given.indexOf(':');
    String user = colon < 0 ? given : given.substring(0, colon);
    String set = other == null || other.isEmpty() ? null : other; // as if it were not set
    String password = colon < 0 ? set : given.substring(colon + 1);
    if (password != null) {
      Object reply =
          user.isEmpty() ? link.call("AUTH", password) : link.call("AUTH", user, password);
      if (reply instanceof Failed failed) {
        throw new BadArgumentException(
            "Redis at " + link.name() + " does not accept the user or password: " + failed.text());
      }
    }
    Object hello = link.call("HELLO", "3");
    if (hello instanceof Failed && link.call("PING") instanceof Failed failed) {
      throw new BadArgumentException(
          failed.text().startsWith("NOAUTH")
              ? "Redis at "
                  + link.name()
                  + " wants a password: set the environment variable REDISCLI_AUTH, and give a user"
                  + " as redis://user@host"
              : "Redis at " + link.name() + " does not answer PING: " + failed.text());
    }
    return !(hello instanceof Failed);
  }

  private void examine(String path) {
    Object reply = link.need("INFO");
    String info = reply instanceof byte[] text ? RespLink.text(text) : "";
    if (info.contains("cluster_enabled:1")) {
      throw new BadArgumentException(
          link.name()
              + " is a node of a Redis Cluster and holds a part of its keys: save a file of each"
              + " primary (redis-cli --rdb node1.rdb), and import one after the other with --merge");
    }
    if (info.contains("loading:1")) {
      throw new StoreIoException(link.name() + " is loading its data: try again once it is done");
    }
    if (path.length() > 1) {
      only = Integer.parseInt(path.substring(1));
    }
    addDatabases(info);
  }

  /** Takes up the databases that have keys and are not known yet. */
  private void addDatabases(String info) {
    Map<Integer, Long> found = new TreeMap<>();
    Matcher all = DATABASE.matcher(info);
    while (all.find()) {
      found.put(Integer.parseInt(all.group(1)), Long.parseLong(all.group(2)));
    }
    if (only >= 0) {
      found.keySet().retainAll(Set.of(only));
      found.putIfAbsent(only, 0L);
    }
    found.forEach((database, keys) -> {
      if (databases.putIfAbsent(database, keys) == null) {
        unscanned.add(database);
      }
    });
  }

  /** The numbers of the databases, and how many keys each had. */
  public Map<Integer, Long> databases() {
    return databases;
  }

  private void pushed(List<?> push) {
    if (push.size() == 2 && push.getFirst() instanceof byte[] word && is(word, "invalidate")) {
      if (push.get(1) instanceof List<?> keys) {
        for (Object each : keys) {
          if (changed.size() == MAX_CHANGED) {
            forgotten++;
          } else if (each instanceof byte[] key) {
            changed.add(ByteBuffer.wrap(key));
          }
        }
      } else {
        flushed = true;
      }
    }
  }

  private static boolean is(byte[] word, String expected) {
    return RespLink.text(word).equals(expected);
  }

  @Override
  public @Nullable Item next() {
    while (ready.isEmpty()) {
      if (flushed) {
        throw new StadiumException(
            link.name() + " was emptied (FLUSHALL or FLUSHDB) during the import");
      }
      if (!waiting.isEmpty()) {
        fetch();
      } else if (cursor != null || !unscanned.isEmpty()) {
        scan();
      } else if (!tracked || lastPass) {
        return null;
      } else {
        lastPass = ended == null ? ++passes == PASSES : ended.getAsBoolean();
        readAgain();
        if (!lastPass && waiting.isEmpty() && unscanned.isEmpty()) {
          if (ended == null) {
            return null;
          }
          pause();
        }
      }
    }
    return ready.poll();
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StadiumException("the import was interrupted", e);
    }
  }

  private void readAgain() {
    if (link.need("INFO", "keyspace") instanceof byte[] text) { // what was changed before is told
      addDatabases(RespLink.text(text));
    }
    again += changed.size();
    for (int database : databases.keySet()) { // which one is not told
      changed.forEach(key -> waiting.add(new Requested(database, key)));
    }
    changed.clear();
  }

  private void scan() {
    byte[] from = cursor;
    if (from == null) {
      scanning = unscanned.remove();
      from = new byte[] {'0'};
    }
    select(scanning);
    link.send(RespLink.bytes("SCAN"), from, RespLink.bytes("COUNT"), SCAN_COUNT);
    if (!(link.needed(link.read(), "SCAN") instanceof List<?> reply)
        || !(reply.getFirst() instanceof byte[] next)
        || !(reply.getLast() instanceof List<?> keys)) {
      throw new StoreIoException(link.name() + " answers SCAN as no Redis does");
    }
    cursor = is(next, "0") ? null : next;
    for (Object each : keys) {
      if (each instanceof byte[] key) {
        waiting.add(new Requested(scanning, ByteBuffer.wrap(key)));
      }
    }
  }

  private void select(int database) {
    if (selected != database) {
      link.need("SELECT", Integer.toString(database));
      selected = database;
    }
  }

  /** Reads some of what waits. */
  private void fetch() {
    select(waiting.element().database());
    List<Requested> some = new ArrayList<>();
    int max = Math.clamp(MAX_BYTES / average, 1, MAX_KEYS);
    while (some.size() < max && !waiting.isEmpty() && waiting.element().database() == selected) {
      Requested each = waiting.remove();
      link.send(PTTL, each.key().array());
      link.send(DUMP, each.key().array());
      some.add(each);
    }
    long bytes = 0;
    for (Requested each : some) {
      Object left = link.needed(link.read(), "PTTL");
      Object payload = link.needed(link.read(), "DUMP");
      if (databases.size() == 1) {
        changed.remove(each.key()); // it was told before this was read
      }
      bytes += payload instanceof byte[] dump ? dump.length : 0;
      ready.add(item(each, payload, left instanceof Long millis ? millis : -1));
    }
    average = Math.max(100, Math.max(bytes / some.size(), average / 2));
  }

  private Item item(Requested key, @Nullable Object payload, long left) {
    Content content = null;
    byte[] name = key.key().array();
    if (payload instanceof byte[] dump && left != -2) {
      try {
        content = RdbReader.read(Rdb.body(dump));
      } catch (RdbReader.LeftOut e) {
        leave(e.what());
      } catch (RdbException e) {
        throw new CorruptException(
            "%s dumps the key '%s' in a format that is not known here (%s): is it newer than Redis 8?"
                .formatted(
                    link.name(),
                    RespLink.text(Arrays.copyOf(name, Math.min(name.length, 100))),
                    e.getMessage()));
      }
    }
    long expiry = left < 0 ? FOREVER : System.currentTimeMillis() + left;
    return new Item(key.database(), name, expiry, content);
  }

  @Override
  public long changedSince() {
    if (!tracked) {
      return -1;
    }
    link.need("PING"); // what was changed before it is told
    if (flushed) {
      throw new StadiumException(
          link.name() + " was emptied (FLUSHALL or FLUSHDB) during the import");
    }
    return changed.size() + forgotten;
  }

  @Override
  public List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    if (!tracked) {
      remarks.add(
          link.name()
              + " cannot tell what its clients change (CLIENT TRACKING): what was changed during the"
              + " import may be missing.");
    }
    if (again > 0) {
      remarks.add(
          "Changed during the import and read again: %,d keys, some of them perhaps repeatedly."
              .formatted(again));
    }
    return remarks;
  }

  @Override
  public void close() {
    link.close();
  }
}
