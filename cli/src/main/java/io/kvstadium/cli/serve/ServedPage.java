package io.kvstadium.cli.serve;

import io.kvstadium.browse.Page;
import io.kvstadium.browse.Request;
import io.kvstadium.browse.look.ServedKeys;
import io.kvstadium.browse.place.Opened;
import io.kvstadium.server.access.Users;
import io.kvstadium.server.backup.ServedBackups;
import io.kvstadium.server.execute.Executor;
import io.kvstadium.server.http.Exchange;
import io.kvstadium.server.http.HttpException;
import io.kvstadium.server.http.HttpLimits;
import io.kvstadium.server.http.HttpProtocol;
import io.kvstadium.server.http.Problems;
import io.kvstadium.server.http.Reply;
import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreUrl;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The page of {@code stadium browse} for what is served, at {@code /ui}. */
public final class ServedPage implements HttpProtocol {
  private static final String ROOT = "/ui";
  private static final int THREADS = 8;

  @Override
  public String name() {
    return "ui";
  }

  @Override
  public boolean always() {
    return true;
  }

  @Override
  public Map<String, Consumer<Exchange>> routes(
      Executor executor,
      ServedBackups backups,
      HttpLimits limits,
      BiConsumer<String, byte[]> written) {
    Store store = executor.store();
    String place = StoreUrl.parse(store.url()).location();
    String name = store.engine().name() + ":" + place.substring(place.lastIndexOf('/') + 1);
    Page page = new Page(List.of(new Opened(name, "served", store, null)), false);
    // of its own, since a search takes long; without work there are none
    ExecutorService threads =
        new ThreadPoolExecutor(
            0,
            THREADS,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().daemon().name("ui-", 1).factory());
    return Map.of(
        ROOT,
        exchange ->
            exchange.answer(Reply.empty(HttpResponseStatus.SEE_OTHER, Map.of("Location", "ui/"))),
        ROOT + "/*",
        exchange -> {
          exchange.require("kv.tables", null);
          if (exchange.request().path().endsWith("/statistics")) {
            exchange.require("kv.stats", null);
          }
          try {
            threads.execute(() -> answer(exchange, page, store));
          } catch (RejectedExecutionException e) {
            throw new HttpException(
                HttpResponseStatus.SERVICE_UNAVAILABLE, "too much is looked at: try again");
          }
        });
  }

  private static void answer(Exchange exchange, Page page, Store store) {
    AtomicBoolean begun = new AtomicBoolean();
    try {
      page.answer(
          request(exchange, store),
          (status, type, headers) -> {
            begun.set(true);
            return exchange.write(HttpResponseStatus.valueOf(status), type, headers);
          });
    } catch (IOException e) {
      // nobody reads any more, which is how the page stops a search
    } catch (RuntimeException e) {
      if (!(e instanceof BadArgumentException)) {
        exchange.report(e);
      }
      if (!begun.get()) {
        exchange.answer(Problems.reply(e));
      }
    }
  }

  private static Request request(Exchange exchange, Store store) {
    var asked = exchange.request();
    byte[] query = asked.query();
    return new Request(
        asked.method().name(),
        asked.path().substring(ROOT.length()),
        Request.parse(query == null ? null : new String(query, StandardCharsets.ISO_8859_1)),
        new ByteArrayInputStream(asked.body()),
        table -> mayRead(exchange.rights(), store, table));
  }

  /** A database is shown to whoever may read each of its keys, whatever they hold. */
  private static boolean mayRead(Users.Known user, Store store, String table) {
    return ServedKeys.isServed(store.table(table))
        ? user.readsAll() && user.allows("scan", null) && user.allows("dump", null)
        : user.allows("kv.range", table);
  }
}
