package io.kvstadium.server.command.server;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.database.Databases;
import io.kvstadium.server.execute.ExistingTables;
import io.kvstadium.server.execute.ReadView;
import io.kvstadium.server.execute.Walk;
import io.kvstadium.server.execute.WriteSet;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.store.Durability;
import io.kvstadium.store.Range;
import io.kvstadium.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What Redis lacks: plain tables, as applications write them by the library, and their order. */
public final class KvCommands {
  private static final int USUAL_LIMIT = 1_000;

  private KvCommands() {}

  /** The table of a request, or {@code null} if there is no such table. */
  private static @Nullable Table<byte[], byte[]> existing(Call call) {
    String name = name(call);
    return call.server().executor().tables().find(name);
  }

  private static String name(Call call) {
    String name = call.text(1);
    if (!call.server().databases().raw() && call.server().databases().number(name) >= 0) {
      throw ReplyException.error(
          "table '%s' holds database %d: use Redis' commands on it",
          name, call.server().databases().number(name));
    }
    return name;
  }

  private static @Nullable ReadView reading(Call call) {
    Table<byte[], byte[]> table = existing(call);
    return table == null ? null : call.view().commitGroup().view(table);
  }

  private static WriteSet writing(Call call) {
    return call.view().commitGroup().on(call.server().executor().tables().make(name(call)));
  }

  public static void get(Call call) {
    ReadView table = reading(call);
    call.reply().bulk(table == null ? null : table.get(call.arg(2)));
  }

  public static void mget(Call call) {
    ReadView table = reading(call);
    call.reply().array(call.size() - 2);
    for (int i = 2; i < call.size(); i++) {
      call.reply().bulk(table == null ? null : table.get(call.arg(i)));
    }
  }

  public static void set(Call call) {
    if (call.size() % 2 != 0) {
      throw ReplyException.arity(call.command().name());
    }
    WriteSet table = writing(call);
    for (int i = 2; i < call.size(); i += 2) {
      table.put(call.arg(i), call.arg(i + 1));
    }
    call.reply().ok();
  }

  public static void del(Call call) {
    int removed = 0;
    ReadView table = reading(call);
    for (int i = 2; table != null && i < call.size(); i++) {
      if (table.get(call.arg(i)) != null) {
        table.writable().delete(call.arg(i));
        removed++;
      }
    }
    call.reply().integer(removed);
  }

  public static void range(Call call) {
    Range<byte[]> range = Range.all();
    if (call.arg(2).length > 0) {
      range = range.from(call.arg(2), true);
    }
    if (call.arg(3).length > 0) {
      range = range.to(call.arg(3), false);
    }
    entries(call, range, 4);
  }

  public static void prefix(Call call) {
    entries(call, Range.prefix(call.arg(2)), 3);
  }

  private static void entries(Call call, Range<byte[]> given, int options) {
    Range<byte[]> range = given.limit(USUAL_LIMIT);
    for (int i = options; i < call.size(); i++) {
      switch (call.lowerCase(i)) {
        case "rev" -> range = range.reverse();
        case "keysonly" -> range = range.keysOnly();
        case "limit" -> {
          if (i + 1 >= call.size()) {
            throw ReplyException.syntax();
          }
          range = range.limit(Numbers.integer(call.arg(++i), 0, Integer.MAX_VALUE));
        }
        default -> throw ReplyException.syntax();
      }
    }
    List<byte[]> elements = new ArrayList<>();
    ReadView table = reading(call);
    if (table != null && !range.isEmpty()) {
      try (Walk walk = table.scan(range)) {
        while (walk.next()) {
          elements.add(walk.key());
          if (!range.withoutValues()) {
            elements.add(walk.value());
          }
        }
      }
    }
    call.reply().array(elements.size());
    elements.forEach(call.reply()::bulk);
  }

  public static void count(Call call) {
    Table<byte[], byte[]> table = existing(call);
    call.reply().integer(table == null ? 0 : table.count());
  }

  public static void tables(Call call) {
    Databases databases = call.server().databases();
    List<String> names =
        call.server().store().tables().stream()
            .filter(name -> databases.raw() || databases.number(name) < 0)
            .toList();
    call.reply().array(names.size());
    names.forEach(call.reply()::bulk);
  }

  public static void drop(Call call) {
    Table<byte[], byte[]> table = existing(call);
    if (table != null) {
      // after what others of the commit group wrote to it
      String name = table.name();
      ExistingTables tables = call.server().executor().tables();
      call.view()
          .commitGroup()
          .afterCommit(() -> {
            if (tables.beginDrop(name)) {
              call.client().beforeAnswer(ended -> tables.endDrop(name, ended));
            }
          });
    }
    call.reply().integer(table == null ? 0 : 1);
  }

  public static void compact(Call call) {
    if (call.size() > 2) {
      throw ReplyException.arity("kv.compact");
    }
    boolean done;
    if (call.size() == 1) {
      done = call.server().store().compact();
    } else {
      Table<byte[], byte[]> table = existing(call);
      done = table != null && table.compact();
    }
    call.reply().integer(done ? 1 : 0);
  }

  public static void stats(Call call) {
    Map<String, String> stats = call.server().store().stats();
    call.reply().map(stats.size());
    stats.forEach((name, value) -> {
      call.reply().bulk(name);
      call.reply().bulk(value);
    });
  }

  public static void durability(Call call) {
    Durability own = call.server().store().durability();
    if (call.size() == 2) {
      Durability wanted = Durability.of(call.lowerCase(1));
      boolean more = wanted == Durability.POWER && own != Durability.POWER;
      if (!more && wanted.compareTo(own) > 0) {
        throw ReplyException.error(
            "the store promises %s: ask for that or for power, or open it at %s",
            own.word(), wanted.word());
      }
      call.client().needsSync = more;
    } else if (call.size() > 2) {
      throw ReplyException.arity("kv.durability");
    }
    call.reply().bulk((call.client().needsSync ? Durability.POWER : own).word());
  }
}
