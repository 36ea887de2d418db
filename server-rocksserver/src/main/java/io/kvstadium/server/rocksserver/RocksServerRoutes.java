package io.kvstadium.server.rocksserver;

import static io.netty.handler.codec.http.HttpResponseStatus.METHOD_NOT_ALLOWED;

import io.kvstadium.server.backup.ServedBackups;
import io.kvstadium.server.execute.CommitGroup;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.execute.WriteSet;
import io.kvstadium.server.http.Exchange;
import io.kvstadium.server.http.HttpException;
import io.kvstadium.server.http.HttpLimits;
import io.kvstadium.server.http.HttpTask;
import io.kvstadium.server.http.MultiGet;
import io.kvstadium.server.http.Reply;
import io.kvstadium.server.http.Request;
import io.kvstadium.server.http.Scan;
import io.kvstadium.server.rocksserver.RequestBody.Pair;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.Entry;
import io.kvstadium.store.Range;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.Store;
import io.kvstadium.store.Table;
import io.kvstadium.store.TableReader;
import io.kvstadium.store.UnsupportedException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * RocksServer's protocol, over the table that every store has. Success and failure both have status
 * 200, since its clients give up at any other.
 */
final class RocksServerRoutes {
  private static final String OK = "OK\n";
  private static final String FAIL = "FAIL\n";

  /** Up to this many bytes of keys, or of a body, are quick work. */
  private static final int QUICK_KEYS = 4 << 10;

  private static final int QUICK_BODY = 64 << 10;

  private final Executor executor;
  private final ServedBackups backups;
  private final Table<byte[], byte[]> table;
  private final HttpLimits limits;
  private final BiConsumer<String, byte[]> written;
  private final Map<String, Consumer<Exchange>> routes = new TreeMap<>();

  RocksServerRoutes(
      Executor executor,
      ServedBackups backups,
      HttpLimits limits,
      BiConsumer<String, byte[]> written) {
    this.backups = backups;
    this.executor = executor;
    this.table = executor.store().table();
    this.limits = limits;
    this.written = written;
    add("/get", "kv.get", this::get);
    add("/mget", "kv.mget", this::multiGet);
    add("/exist", "kv.get", this::exist);
    add("/prefit", "kv.range", this::prefix);
    add("/seek-first", "kv.range", this::seekFirst);
    add("/seeknext", "kv.range", exchange -> seek(exchange, false, false));
    add("/seeknext-range", "kv.range", exchange -> seek(exchange, false, true));
    add("/seekprev", "kv.range", exchange -> seek(exchange, true, false));
    add("/seekprev-range", "kv.range", exchange -> seek(exchange, true, true));
    add("/tail", "kv.range", exchange -> scan(exchange, _ -> Range.all(), _ -> true));
    add("/set", "kv.set", exchange -> write(exchange, RequestBody::set));
    add("/mset", "kv.set", exchange -> write(exchange, RequestBody::sets));
    add("/del", "kv.del", exchange -> write(exchange, body -> List.of(new Pair(body, null))));
    add("/mdel", "kv.del", exchange -> write(exchange, RequestBody::deletes));
    add("/mdelset", "kv.set", exchange -> write(exchange, RequestBody::deletesAndSets));
    add("/incr", "kv.set", exchange -> increment(exchange, _ -> Reply.text(OK), FAIL));
    add("/get-incr", "kv.set", exchange -> increment(exchange, RocksServerRoutes::value, "-1\n"));
    add("/ping", "ping", exchange -> exchange.answer(Reply.text("pong")));
    add("/stats", "kv.stats", this::statistics);
    add("/wstats", "kv.stats", this::statistics);
    add("/backup", "kv.backup", this::backUp);
    add("/backup/info", "kv.backup", exchange -> later(exchange, this::backupInfo));
    add("/backup/del", "kv.backup", exchange -> deleteBackups(exchange, List::of));
    add(
        "/backup/mdel",
        "kv.backup",
        exchange -> deleteBackups(exchange, body -> RequestBody.split(body, '\n')));
  }

  Map<String, Consumer<Exchange>> routes() {
    return routes;
  }

  /**
   * Adds a route.
   *
   * @param right the Redis command that does the same, whose right it needs
   */
  private void add(String path, String right, Consumer<Exchange> handler) {
    routes.put(
        path,
        exchange -> {
          check(exchange, right);
          handler.accept(exchange);
        });
  }

  private static void check(Exchange exchange, String right) {
    Request request = exchange.request();
    if (!request.reads() && !request.is(HttpMethod.POST)) {
      throw new HttpException(
          METHOD_NOT_ALLOWED, "use GET or POST", Map.of("Allow", "GET, HEAD, POST"));
    }
    boolean data = !right.equals("ping") && !right.equals("kv.stats");
    exchange.require(right, data ? Store.DEFAULT_TABLE : null);
    if (request.path().equals("/mdelset")) {
      exchange.require("kv.del", Store.DEFAULT_TABLE);
    }
  }

  private static Reply fail(RuntimeException failure) {
    return Reply.text(FAIL);
  }

  private static byte @Nullable [] key(Exchange exchange) {
    byte[] query = exchange.request().query();
    return query == null || query.length == 0 ? null : query;
  }

  private static List<byte[]> keys(byte[] query) {
    return RequestBody.split(query, '&');
  }

  private static Reply value(byte @Nullable [] value) {
    ByteBuf out = Unpooled.buffer(16 + (value == null ? 0 : value.length));
    ReplyFormat.value(out, value);
    return Reply.text(out);
  }

  private void get(Exchange exchange) {
    byte[] key = key(exchange);
    if (key == null) {
      exchange.answer(value(null));
    } else {
      read(exchange, key, RocksServerRoutes::value);
    }
  }

  private void exist(Exchange exchange) {
    byte[] key = key(exchange);
    if (key == null) {
      exchange.answer(Reply.text(FAIL));
      return;
    }
    read(
        exchange,
        key,
        value -> {
          if (value == null) {
            return Reply.text(FAIL);
          }
          ByteBuf out = Unpooled.buffer(16 + value.length);
          out.writeCharSequence(OK, StandardCharsets.US_ASCII);
          ReplyFormat.value(out, value);
          return Reply.text(out);
        });
  }

  private void read(Exchange exchange, byte[] key, Function<byte @Nullable [], Reply> answer) {
    new HttpTask(
            exchange,
            RocksServerRoutes::fail,
            commitGroup -> commitGroup.view(table).prefetch(key),
            commitGroup -> answer.apply(commitGroup.view(table).get(key)))
        .read(executor, true);
  }

  private void multiGet(Exchange exchange) {
    byte[] query = key(exchange);
    if (query == null) {
      exchange.answer(Reply.text(""));
      return;
    }
    new HttpTask(
            exchange,
            RocksServerRoutes::fail,
            null,
            commitGroup -> {
              ByteBuf out = Unpooled.buffer();
              MultiGet.each(
                  executor.store(),
                  commitGroup.stored(table),
                  keys(query),
                  limits.reply(),
                  (key, value) -> ReplyFormat.pair(out, key, value));
              return Reply.text(out);
            })
        .ofOneMoment()
        .read(executor, query.length < QUICK_KEYS);
  }

  private void prefix(Exchange exchange) {
    byte[] prefix = key(exchange);
    if (prefix == null) {
      exchange.answer(Reply.text(""));
    } else {
      scan(exchange, _ -> Range.prefix(prefix), _ -> true);
    }
  }

  private void seekFirst(Exchange exchange) {
    byte[] prefix = key(exchange);
    new HttpTask(
            exchange,
            RocksServerRoutes::fail,
            null,
            commitGroup -> {
              Entry<byte[], byte[]> first =
                  prefix == null ? null : commitGroup.stored(table).first(Range.prefix(prefix));
              ByteBuf out = Unpooled.buffer();
              ReplyFormat.pair(
                  out,
                  first == null ? new byte[0] : first.key(),
                  first == null ? null : first.value());
              return Reply.text(out);
            })
        .read(executor, true);
  }

  private void seek(Exchange exchange, boolean before, boolean bounded) {
    byte[] query = key(exchange);
    if (query == null) {
      exchange.answer(Reply.text(""));
      return;
    }
    List<byte[]> words = keys(query);
    byte[] from = words.getFirst();
    int next = bounded ? 2 : 1;
    byte[] to = bounded ? words.get(Math.min(1, words.size() - 1)) : null;
    byte[] start = words.size() > next ? words.get(next) : new byte[0];
    scan(
        exchange,
        stored -> range(before ? notAfter(stored, from) : from, to),
        key -> startsWith(key, start));
  }

  private static Range<byte[]> range(byte[] from, byte @Nullable [] to) {
    Range<byte[]> range = Range.<byte[]>all().from(from, true);
    return to == null ? range : range.to(to, true);
  }

  /** The last key up to a key, or the first of all. */
  private static byte[] notAfter(TableReader<byte[], byte[]> stored, byte[] key) {
    Entry<byte[], byte[]> last = stored.last(Range.<byte[]>all().to(key, true));
    return last == null ? new byte[0] : last.key();
  }

  private static boolean startsWith(byte[] key, byte[] start) {
    return key.length >= start.length
        && Arrays.mismatch(key, 0, start.length, start, 0, start.length) < 0;
  }

  private void scan(
      Exchange exchange,
      Function<TableReader<byte[], byte[]>, Range<byte[]>> range,
      Predicate<byte[]> goesOn) {
    Scan.Plan plan = new Scan.Plan(() -> table, range, goesOn, ReplyFormat.PAIRS, Long.MAX_VALUE);
    exchange.stream(new Scan(executor.store(), plan, limits.scan()), RocksServerRoutes::fail);
  }

  private void write(Exchange exchange, Function<byte[], List<Pair>> reading) {
    byte[] body = exchange.request().body();
    if (!exchange.request().is(HttpMethod.POST) || body.length == 0) {
      exchange.answer(Reply.text(FAIL));
      return;
    }
    List<Pair> pairs;
    try {
      pairs = reading.apply(body);
    } catch (HttpException e) {
      exchange.answer(fail(e));
      return;
    }
    if (pairs.size() > 1 && !executor.store().capabilities().contains(Capability.BATCH)) {
      exchange.answer(Reply.text(FAIL));
      return;
    }
    new HttpTask(
            exchange,
            RocksServerRoutes::fail,
            null,
            commitGroup -> {
              WriteSet writeSet = commitGroup.on(table);
              for (Pair pair : pairs) {
                if (pair.value() == null) {
                  writeSet.delete(pair.key());
                } else {
                  int bytes = pair.key().length + pair.value().length;
                  commitGroup.requireSpace(bytes, System.nanoTime());
                  writeSet.put(pair.key(), pair.value());
                }
                written.accept(table.name(), pair.key());
              }
              return Reply.text(OK);
            })
        .write(executor, body.length < QUICK_BODY);
  }

  private void increment(Exchange exchange, Function<byte[], Reply> answer, String failure) {
    byte[] body = exchange.request().body();
    List<byte[]> words = RequestBody.split(body, '\n');
    byte[] key = words.getFirst();
    if (!exchange.request().is(HttpMethod.POST) || key.length == 0) {
      exchange.answer(Reply.text(FAIL));
      return;
    }
    long by = words.size() > 1 ? RequestBody.number(words.get(1)) : 1;
    new HttpTask(
            exchange,
            _ -> Reply.text(failure),
            commitGroup -> commitGroup.view(table).prefetch(key),
            commitGroup -> answer.apply(add(commitGroup, key, by)))
        .write(executor, true);
  }

  private byte[] add(CommitGroup commitGroup, byte[] key, long by) {
    WriteSet writeSet = commitGroup.on(table);
    byte[] present = writeSet.get(key);
    try {
      long sum = Math.addExact(present == null ? 0 : RequestBody.number(present), by);
      byte[] value = Long.toString(sum).getBytes(StandardCharsets.US_ASCII);
      commitGroup.requireSpace(key.length + value.length, System.nanoTime());
      writeSet.put(key, value);
      written.accept(table.name(), key);
      return value;
    } catch (ArithmeticException e) {
      throw HttpException.badRequest("the sum is beyond the range of 64 bits");
    }
  }

  /** The engine's statistics: all, or the requested one. */
  private void statistics(Exchange exchange) {
    byte[] name = exchange.request().path().equals("/wstats") ? key(exchange) : null;
    new HttpTask(
            exchange,
            RocksServerRoutes::fail,
            null,
            _ -> {
              Map<String, String> stats = new TreeMap<>(executor.store().stats());
              if (name != null) {
                String one = stats.get(new String(name, StandardCharsets.UTF_8));
                return Reply.text(one == null ? FAIL : one);
              }
              List<String> lines = new ArrayList<>();
              stats.forEach((each, value) -> lines.add(each + ": " + value + "\n"));
              return Reply.text(String.join("", lines));
            })
        .read(executor, false);
  }

  private void backUp(Exchange exchange) {
    if (!exchange.request().is(HttpMethod.POST)) {
      exchange.answer(Reply.text(FAIL));
      return;
    }
    later(
        exchange,
        () -> {
          try {
            backups.create();
            return Reply.text(OK);
          } catch (StadiumException e) {
            report(exchange, e);
            return fail(e);
          }
        });
  }

  private Reply backupInfo() {
    return Reply.text(ReplyFormat.backups(backups.list()));
  }

  /** A line for each number in the body. */
  private void deleteBackups(Exchange exchange, Function<byte[], List<byte[]>> numbers) {
    byte[] body = exchange.request().body();
    if (!exchange.request().is(HttpMethod.POST) || body.length == 0) {
      exchange.answer(Reply.text(FAIL));
      return;
    }
    later(
        exchange,
        () -> {
          StringBuilder lines = new StringBuilder();
          for (byte[] number : numbers.apply(body)) {
            lines.append(
                isDeleted(exchange, new String(number, StandardCharsets.UTF_8)) ? OK : FAIL);
          }
          return Reply.text(lines.toString());
        });
  }

  private boolean isDeleted(Exchange exchange, String number) {
    try {
      return backups.delete(number);
    } catch (StadiumException e) {
      report(exchange, e);
      return false;
    }
  }

  /**
   * The protocol has no words for what failed, so it is reported to the operator, unless the client
   * was at fault.
   */
  private static void report(Exchange exchange, StadiumException failure) {
    if (!(failure instanceof BadArgumentException || failure instanceof UnsupportedException)) {
      exchange.report(failure);
    }
  }

  /** Runs what takes long and reads no entries. */
  private void later(Exchange exchange, Supplier<Reply> reply) {
    new HttpTask(exchange, RocksServerRoutes::fail, null, _ -> reply.get()).read(executor, false);
  }
}
