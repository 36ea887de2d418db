package io.kvstadium.server.command.keys;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.command.ScanOptions;
import io.kvstadium.server.database.Databases;
import io.kvstadium.server.database.Eviction;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.database.RandomEntry;
import io.kvstadium.server.database.Recency;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.execute.Walk;
import io.kvstadium.server.protocol.Glob;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.store.Range;
import io.kvstadium.transfer.redis.Decimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Commands on keys, whatever they hold. */
public final class KeyCommands {
  private KeyCommands() {}

  public static void del(Call call) {
    int removed = 0;
    for (int i = 1; i < call.size(); i++) {
      removed += call.keys().remove(call.arg(i)) ? 1 : 0;
    }
    call.reply().integer(removed);
  }

  public static void exists(Call call) {
    int found = 0;
    for (int i = 1; i < call.size(); i++) {
      found += call.keys().head(call.arg(i)) != null ? 1 : 0;
    }
    call.reply().integer(found);
  }

  public static void type(Call call) {
    StoredValue storedValue = call.keys().head(call.arg(1));
    call.reply().simple(storedValue == null ? "none" : storedValue.kind().word());
  }

  public static void rename(Call call, boolean overwrite) {
    Keyspace keys = call.keys();
    byte[] from = call.arg(1);
    byte[] to = call.arg(2);
    if (keys.head(from) == null) {
      throw ReplyException.noSuchKey();
    }
    boolean free = keys.head(to) == null;
    if (free || overwrite) {
      if (!Arrays.equals(from, to)) {
        keys.remove(to);
        keys.rename(from, to);
      }
    }
    if (overwrite) {
      call.reply().ok();
    } else {
      call.reply().integer(free ? 1 : 0);
    }
  }

  private static int database(Call call, byte[] text) {
    int number = Numbers.integer(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
    if (!call.server().databases().has(number)) {
      throw ReplyException.error("DB index is out of range");
    }
    return number;
  }

  public static void copy(Call call) {
    int target = call.client().database;
    boolean replace = false;
    for (int i = 3; i < call.size(); i++) {
      if (call.lowerCase(i).equals("replace")) {
        replace = true;
      } else if (call.lowerCase(i).equals("db") && i + 1 < call.size()) {
        target = database(call, call.arg(++i));
      } else {
        throw ReplyException.syntax();
      }
    }
    if (target == call.client().database && Arrays.equals(call.arg(1), call.arg(2))) {
      throw ReplyException.error("source and destination objects are the same");
    }
    StoredValue storedValue = call.keys().entry(call.arg(1));
    Keyspace to = call.view().keyspace(target);
    if (storedValue == null || (!replace && to.head(call.arg(2)) != null)) {
      call.reply().integer(0);
      return;
    }
    copy(call.keys(), storedValue, to, call.arg(2));
    call.reply().integer(1);
  }

  private static void copy(Keyspace from, StoredValue storedValue, Keyspace to, byte[] key) {
    to.remove(key);
    if (!storedValue.hasElements()) {
      to.set(key, storedValue);
      return;
    }
    to.set(key, storedValue.at(from.elements().copy(storedValue, to.elements())));
  }

  public static void move(Call call) {
    int target = database(call, call.arg(2));
    if (target == call.client().database) {
      throw ReplyException.error("source and destination objects are the same");
    }
    Keyspace to = call.view().keyspace(target);
    StoredValue storedValue = call.keys().entry(call.arg(1));
    if (storedValue == null || to.head(call.arg(1)) != null) {
      call.reply().integer(0);
      return;
    }
    copy(call.keys(), storedValue, to, call.arg(1));
    call.keys().remove(call.arg(1));
    call.reply().integer(1);
  }

  public static void randomkey(Call call) {
    Keyspace keys = call.keys();
    Range<byte[]> all = keys.names(new byte[0]);
    boolean raw = keys.database().raw(); // then counting takes long
    long count = raw ? 0 : keys.size();
    byte[] found =
        !raw && count <= RandomEntry.FEW
            ? oneOf(keys, all)
            : RandomEntry.of(all, count, range -> alive(keys, range));
    call.reply().bulk(found == null ? null : keys.name(found));
  }

  /** A key that is not due, each as likely as the others; or {@code null}. */
  private static byte @Nullable [] oneOf(Keyspace keys, Range<byte[]> all) {
    byte[] found = null;
    int seen = 0;
    try (Walk walk = keys.keys(all)) {
      while (walk.next()) {
        if (keys.alive(walk) && ThreadLocalRandom.current().nextInt(++seen) == 0) {
          found = walk.key();
        }
      }
    }
    return found;
  }

  /** The first key that is not due. */
  private static byte @Nullable [] alive(Keyspace keys, Range<byte[]> range) {
    try (Walk walk = keys.keys(range)) {
      while (walk.next()) {
        if (keys.alive(walk)) {
          return walk.key();
        }
      }
    }
    return null;
  }

  public static void keys(Call call) {
    Glob pattern = new Glob(call.arg(1));
    List<byte[]> found = new ArrayList<>();
    Keyspace keys = call.keys();
    try (Walk walk = keys.keys(keys.names(pattern.prefix()))) {
      while (walk.next()) {
        byte[] name = keys.name(walk.key());
        if ((pattern.all() || pattern.matches(name)) && keys.alive(walk)) {
          found.add(name);
        }
      }
    }
    call.reply().array(found.size());
    found.forEach(call.reply()::bulk);
  }

  public static void scan(Call call) {
    ScanOptions options = ScanOptions.of(call, 2, true);
    Keyspace keys = call.keys();
    byte[] prefix = options.pattern().prefix();
    byte[] after = call.server().databases().cursors().position(call.arg(1));
    Range<byte[]> range = after == null ? keys.names(prefix) : keys.behind(after, prefix);
    List<byte[]> found = new ArrayList<>();
    byte[] last = null;
    int visited = 0;
    try (Walk walk = keys.keys(range)) {
      while (visited < options.count() && walk.next()) {
        visited++;
        last = keys.name(walk.key());
        boolean wanted =
            options.pattern().matches(last)
                && keys.alive(walk)
                && (options.kind() == null || keys.kind(walk).word().equals(options.kind()));
        if (wanted) {
          found.add(last);
        }
      }
    }
    boolean more = visited == options.count();
    call.reply().array(2);
    call.reply().bulk(more && last != null ? call.server().databases().cursors().at(last) : "0");
    call.reply().array(found.size());
    found.forEach(call.reply()::bulk);
  }

  public static void object(Call call) {
    StoredValue storedValue = call.keys().peek(call.arg(2));
    if (storedValue == null) {
      call.reply().nil();
      return;
    }
    switch (call.lowerCase(1)) {
      case "encoding" -> call.reply().bulk(encoding(storedValue));
      case "refcount" -> call.reply().integer(1);
      default -> call.reply().integer(use(call, call.lowerCase(1).equals("freq")));
    }
  }

  /** How often a key is used, or how many seconds it was not, as far as the policy learns it. */
  private static long use(Call call, boolean frequency) {
    Eviction eviction = call.server().databases().eviction();
    boolean counts = eviction != null && eviction.counts();
    if (frequency != counts) {
      throw ReplyException.error(
          "An LFU maxmemory policy is "
              + (counts
                  ? "selected, idle time not tracked"
                  : "not selected, access frequency not tracked")
              + ". Please note that when switching between policies at runtime LRU and LFU data will"
              + " take some time to adjust.");
    }
    Recency uses = eviction == null ? null : eviction.recency();
    int place = call.keys().database().number();
    return uses == null
        ? 0
        : counts ? uses.frequency(place, call.arg(2)) : uses.idleSeconds(place, call.arg(2));
  }

  private static String encoding(StoredValue storedValue) {
    return switch (storedValue.kind()) {
      case STRING ->
          storedValue.length() <= 20
                  && Decimal.integer(storedValue.value(), Long.MIN_VALUE) != Long.MIN_VALUE
              ? "int"
              : storedValue.length() <= 44 ? "embstr" : "raw";
      case HASH, SET -> "hashtable";
      case LIST -> "quicklist";
      case ZSET -> "skiplist";
      case STREAM -> "stream";
    };
  }

  private static void modes(Call call) {
    if (call.size() > 2
        || (call.size() == 2 && !Set.of("async", "sync").contains(call.lowerCase(1)))) {
      throw ReplyException.syntax();
    }
  }

  public static void swapdb(Call call) {
    int one = index(call, 1, "invalid first DB index");
    int other = index(call, 2, "invalid second DB index");
    Databases databases = call.server().databases();
    if (!databases.has(one) || !databases.has(other)) {
      throw ReplyException.error("DB index is out of range");
    }
    if (databases.raw()) {
      throw ReplyException.error("this server serves plain tables (--raw), which keep their names");
    }
    if (one != other) {
      call.view().swap(one, other);
    }
    call.reply().ok();
  }

  private static int index(Call call, int i, String error) {
    long number = Numbers.integer(call.arg(i), error);
    if (number != (int) number) {
      throw ReplyException.error(error);
    }
    return (int) number;
  }

  public static void flushdb(Call call, Runnable whenCleared) {
    modes(call);
    call.keys().clear();
    call.view().commitGroup().afterCommit(whenCleared);
    call.reply().ok();
  }

  public static void flushall(Call call, Runnable whenCleared) {
    modes(call);
    for (int i = 0; i < Databases.COUNT; i++) {
      if (call.server().databases().present(i) != null) {
        call.view().stored(i).clear();
      }
    }
    call.view().commitGroup().afterCommit(whenCleared);
    call.reply().ok();
  }
}
