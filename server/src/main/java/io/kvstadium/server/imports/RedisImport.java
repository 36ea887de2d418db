package io.kvstadium.server.imports;

import io.kvstadium.server.database.Databases;
import io.kvstadium.server.database.KeyWaits;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.execute.CommitGroup;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.execute.Task;
import io.kvstadium.server.execute.Walk;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.value.StoredContent;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.CorruptException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.internal.open.Stores;
import io.kvstadium.transfer.CopyOptions.Existing;
import io.kvstadium.transfer.CopyProgress;
import io.kvstadium.transfer.CopyProgress.Step;
import io.kvstadium.transfer.ImportOptions;
import io.kvstadium.transfer.Imported.Verification;
import io.kvstadium.transfer.Target;
import io.kvstadium.transfer.format.ContentSum;
import io.kvstadium.transfer.redis.Content;
import io.kvstadium.transfer.redis.KeySource;
import io.kvstadium.transfer.redis.Kind;
import io.kvstadium.transfer.redis.RdbFile;
import io.kvstadium.transfer.redis.RedisSource;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings the keys of a Redis into the databases of a store that {@code stadium serve} then serves.
 * They are written as RESTORE writes them.
 */
public final class RedisImport implements AutoCloseable {
  /** What the mark of a store begins with that an import fills. */
  private static final String MARK = "an import from Redis\n";

  /** The most keys, and about the most bytes, of a commit group. */
  private static final int MAX_KEYS = 1_000;

  private static final long MAX_BYTES = 4 << 20;

  private static final byte[] NOTHING = {};

  private final Store store;
  private final ImportOptions options;
  private final Target target;

  /** Whether the store holds nothing else. */
  private final boolean alone;

  private final Executor executor;
  private final Databases databases;

  /** By database and kind: the sums of what was put, and of what was removed again. */
  private final Map<String, ContentSum.Adder> put = new TreeMap<>();

  private final Map<String, ContentSum.Adder> removed = new TreeMap<>();

  /** The sums of what was found at the end. */
  private final Map<String, ContentSum.Adder> there = new TreeMap<>();

  private final Map<Kind, Long> counts = new TreeMap<>();
  private final Set<Integer> used = new HashSet<>();
  private long read;
  private long expiring;
  private long bytes;
  private long seen;
  private long bytesThere;
  private long oversized;
  private String firstOversized = "";
  private @Nullable StadiumException failure;

  /**
   * What was imported.
   *
   * @param keys how many keys, by the word of TYPE
   * @param expiring how many of them expire
   * @param databases how many databases had any
   * @param leftOut what was left out, such as {@code 3 expired keys}
   * @param changedSince how many keys have changed at the source since they were read, as known at
   *     the end; negative if it cannot tell
   * @param remarks what else should be known, in sentences
   * @param sum of all keys with their content and expiry
   */
  public record Result(
      Map<String, Long> keys,
      long expiring,
      int databases,
      List<String> leftOut,
      long changedSince,
      List<String> remarks,
      ContentSum sum,
      Verification verification) {}

  private RedisImport(Store store, ImportOptions options, Target target, long now) {
    this.store = store;
    this.options = options;
    this.target = target;
    this.alone = options.existing() != Existing.MERGE || Stores.isEmpty(store);
    this.executor = new Executor(store, 0, () -> Instant.ofEpochMilli(now)); // when all was alive
    try {
      this.databases = new Databases(store, false, false, KeyWaits.NONE, () -> {});
    } catch (RuntimeException e) {
      executor.close();
      throw e;
    }
  }

  /**
   * Imports a file of Redis.
   *
   * @param name for messages
   * @param again whether it can be read twice: then, nothing is written if it is damaged
   */
  public static Result file(
      String name, Supplier<InputStream> file, boolean again, Store store, ImportOptions options) {
    Target target = target(store, options);
    long now = System.currentTimeMillis();
    long total = again ? check(new RdbFile(name, file.get(), now), store, options) : -1;
    try (KeySource source = new RdbFile(name, file.get(), now);
        RedisImport run = new RedisImport(store, options, target, now)) {
      return run.all(source, total);
    }
  }

  /**
   * Imports the keys of a running server.
   *
   * @param url {@code redis://user:password@host:port/database}; {@code rediss} for TLS; all
   *     databases if it names none
   * @param password if it is not in the URL, or {@code null}
   * @param ended if it is not {@code null}, what clients change is read until this is true, and
   *     then once more
   */
  public static Result server(
      String url,
      @Nullable String password,
      @Nullable BooleanSupplier ended,
      Store store,
      ImportOptions options) {
    Target target = target(store, options);
    long now = System.currentTimeMillis();
    try (RedisSource source = new RedisSource(url, password, ended)) {
      source.databases().keySet().forEach(each -> check(each, store));
      long total = source.databases().values().stream().mapToLong(Long::longValue).sum();
      try (RedisImport run = new RedisImport(store, options, target, now)) {
        return run.all(source, total);
      }
    }
  }

  private static Target target(Store store, ImportOptions options) {
    Target target = new Target(store, options.existing(), MARK);
    if (options.existing() == Existing.REFUSE) {
      target.refuseEntries();
    }
    return target;
  }

  /** Reads all and writes nothing; returns how many keys there are. */
  private static long check(KeySource file, Store store, ImportOptions options) {
    long keys = 0;
    long bytes = 0;
    int last = 0;
    try (KeySource source = file) {
      for (KeySource.Item item = source.next(); item != null; item = source.next()) {
        last = Math.max(last, item.database());
        bytes += size(item);
        if (++keys % MAX_KEYS == 0) {
          options
              .progress()
              .accept(new CopyProgress(Step.CHECK, "db" + item.database(), keys, bytes, -1));
        }
      }
    }
    check(last, store); // the file is sound
    return keys;
  }

  private static void check(int database, Store store) {
    int last = store.capabilities().contains(Capability.TABLES) ? Databases.COUNT - 1 : 0;
    if (database > last) {
      throw new BadArgumentException(
          "there are keys in database %d, and %s has no database above %d"
              .formatted(database, store.url(), last));
    }
  }

  private static long size(KeySource.Item item) {
    Content content = item.content();
    return item.key().length + (content == null ? 0 : content.bytes());
  }

  private Result all(KeySource source, long total) {
    target.mark("");
    Verification verification = Verification.NONE;
    try {
      for (var some = next(source); !some.isEmpty(); some = next(source)) {
        List<KeySource.Item> items = some;
        run(commitGroup -> items.forEach(item -> put(commitGroup, item)), executor::writeNow);
        read += items.size();
        String table = "db" + items.getLast().database();
        options.progress().accept(new CopyProgress(Step.COPY, table, read, bytes, total));
      }
      target.sync();
      if (options.verify() && alone) {
        verification = isIdentical() ? Verification.IDENTICAL : Verification.DIFFERENT;
      }
    } catch (StadiumException e) {
      throw stopped(e);
    }
    long changedSince = source.changedSince();
    if (options.existing() != Existing.MERGE && verification != Verification.DIFFERENT) {
      target.complete();
    }
    List<String> leftOut = new ArrayList<>();
    source.leftOut().forEach((what, many) -> leftOut.add(many + " " + what));
    if (oversized > 0) {
      leftOut.add(oversized + " keys that cannot be stored, first " + firstOversized);
    }
    Map<String, Long> byWord = new LinkedHashMap<>();
    counts.forEach((kind, many) -> byWord.put(kind.word(), many));
    ContentSum sum =
        there.values().stream()
            .map(ContentSum.Adder::sum)
            .reduce(ContentSum.NONE, ContentSum::plus);
    return new Result(
        byWord, expiring, used.size(), leftOut, changedSince, source.remarks(), sum, verification);
  }

  private List<KeySource.Item> next(KeySource source) {
    List<KeySource.Item> items = new ArrayList<>();
    long before = bytes;
    try {
      while (failure == null && items.size() < MAX_KEYS && bytes - before < MAX_BYTES) {
        KeySource.Item item = source.next();
        if (item == null) {
          break;
        }
        check(item.database(), store);
        bytes += size(item);
        items.add(item);
      }
    } catch (StadiumException e) { // what came before is written first
      failure = e;
    }
    if (items.isEmpty() && failure != null) {
      throw failure;
    }
    return items;
  }

  private StadiumException stopped(StadiumException cause) {
    String left =
        options.existing() == Existing.MERGE
            ? "; what was imported before stays"
            : target.isUntouched(cause)
                ? ""
                : "; " + store.url() + " stays marked as incomplete: import again with --replace";
    String message =
        "%s. Imported up to there: %,d keys%s".formatted(cause.getMessage(), total(), left);
    return switch (cause) {
      case CorruptException _ -> new CorruptException(message, cause);
      case BadArgumentException _ -> new BadArgumentException(message, cause);
      default -> new StadiumException(message, cause);
    };
  }

  private long total() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  private static void run(Consumer<CommitGroup> task, Consumer<Task> how) {
    RuntimeException[] failure = {null};
    how.accept(
        new Task() {
          @Override
          public void execute(CommitGroup commitGroup) {
            task.accept(commitGroup);
          }

          @Override
          public void done() {}

          @Override
          public void failed(RuntimeException cause) {
            failure[0] = cause;
          }
        });
    if (failure[0] != null) {
      throw failure[0];
    }
  }

  private Databases.View view(CommitGroup commitGroup) {
    return commitGroup.state(() -> new Databases.View(databases, commitGroup));
  }

  private void put(CommitGroup commitGroup, KeySource.Item item) {
    Databases.View view = view(commitGroup);
    Keyspace space = view.keyspace(item.database());
    if (used.add(item.database()) && options.existing() == Existing.REPLACE) {
      space.clear();
    }
    view.savepoint();
    commitGroup.requireSpace(size(item), System.nanoTime());
    StoredValue old = space.entry(item.key());
    Content before =
        old == null || !options.verify() || !alone
            ? null
            : StoredContent.read(space, item.key(), old);
    Content given = item.content();
    Content content = given == null ? null : given.at(space.now());
    try {
      space.remove(item.key());
      if (content != null) {
        StoredContent.write(content, space, item.key(), item.expiry());
      }
    } catch (BadArgumentException | ReplyException e) {
      view.rollback();
      skip(item, e);
      return;
    }
    if (old != null && alone) {
      count(old.kind(), old.expiry(), -1);
    }
    if (old != null && before != null) {
      before.addTo(sum(removed, item.database(), before.kind()), item.key(), old.expiry());
    }
    if (content != null) {
      count(content.kind(), item.expiry(), 1);
      if (options.verify() && alone) {
        content.addTo(sum(put, item.database(), content.kind()), item.key(), item.expiry());
      }
    }
  }

  private void skip(KeySource.Item item, RuntimeException e) {
    String what = "'%s' (%s)".formatted(Bytes.start(item.key(), 100), e.getMessage());
    if (!options.skipOversized()) {
      String otherwise = e instanceof ReplyException ? "" : ", or choose another engine";
      throw new BadArgumentException(
          "the key %s cannot be stored: leave out such keys with --skip-oversized%s"
              .formatted(what, otherwise));
    }
    firstOversized = oversized++ == 0 ? what : firstOversized;
  }

  private void count(Kind kind, long expiry, int sign) {
    counts.merge(kind, (long) sign, Long::sum);
    expiring += expiry == StoredValue.FOREVER ? 0 : sign;
  }

  private static ContentSum.Adder sum(Map<String, ContentSum.Adder> of, int database, Kind kind) {
    return of.computeIfAbsent("db" + database + " " + kind.word(), ContentSum.Adder::new);
  }

  /** Reads everything that the store holds, and compares its sums. */
  private boolean isIdentical() {
    for (int database : used) {
      byte[][] last = {null};
      do {
        byte[] after = last[0];
        last[0] = null;
        run(
            commitGroup -> last[0] = addTo(view(commitGroup).keyspace(database), database, after),
            executor::readNow);
        options
            .progress()
            .accept(new CopyProgress(Step.VERIFY, "db" + database, seen, bytesThere, total()));
      } while (last[0] != null);
    }
    Set<String> all = new HashSet<>(put.keySet());
    all.addAll(there.keySet());
    all.addAll(removed.keySet());
    return all.stream()
        .allMatch(each -> sumOf(put, each).equals(sumOf(there, each).plus(sumOf(removed, each))));
  }

  private static ContentSum sumOf(Map<String, ContentSum.Adder> sums, String name) {
    ContentSum.Adder found = sums.get(name);
    return found == null ? ContentSum.NONE : found.sum();
  }

  /** Adds some keys after one; returns the last of them, or {@code null} at the end. */
  private byte @Nullable [] addTo(Keyspace space, int database, byte @Nullable [] after) {
    byte[] last = null;
    int count = 0;
    try (Walk walk =
        space.keys(after == null ? space.names(NOTHING) : space.behind(after, NOTHING))) {
      while (walk.next()) {
        byte[] key = space.name(walk.key());
        byte[] stored = walk.value();
        StoredValue storedValue = StoredValue.read(stored, stored.length);
        Content content = StoredContent.read(space, key, storedValue);
        content.addTo(sum(there, database, storedValue.kind()), key, storedValue.expiry());
        seen++;
        bytesThere += key.length + content.bytes();
        if (++count == MAX_KEYS) {
          last = key;
          break;
        }
      }
    }
    return last;
  }

  @Override
  public void close() {
    executor.close();
  }
}
