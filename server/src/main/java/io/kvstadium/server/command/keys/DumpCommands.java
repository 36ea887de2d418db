package io.kvstadium.server.command.keys;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.command.Expiries;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.value.StoredContent;
import io.kvstadium.transfer.redis.Content;
import io.kvstadium.transfer.redis.Rdb;
import io.kvstadium.transfer.redis.RdbException;
import io.kvstadium.transfer.redis.RdbReader;
import java.util.function.Supplier;

/** DUMP and RESTORE. */
public final class DumpCommands {
  private DumpCommands() {}

  public static void dump(Call call) {
    byte[] key = call.arg(1);
    Keyspace keys = call.keys();
    StoredValue storedValue = keys.find(key);
    if (storedValue == null) {
      call.reply().nil();
      return;
    }
    Content content = StoredContent.read(keys, key, storedValue);
    call.reply().bulk(dumped(content::dump));
  }

  public static void restore(Call call) {
    boolean replace = false;
    boolean absolute = false;
    String eviction = ""; // the hint given for it, of which there may be one kind
    for (int i = 4; i < call.size(); i++) {
      boolean more = i + 1 < call.size();
      switch (call.lowerCase(i)) {
        case "replace" -> replace = true;
        case "absttl" -> absolute = true;
        case "idletime" -> {
          need(more && !eviction.equals("freq"));
          eviction = call.lowerCase(i);
          if (call.integer(++i) < 0) {
            throw ReplyException.error("Invalid IDLETIME value, must be >= 0");
          }
        }
        case "freq" -> {
          need(more && !eviction.equals("idletime"));
          eviction = call.lowerCase(i);
          long frequency = call.integer(++i);
          if (frequency < 0 || frequency > 255) {
            throw ReplyException.error("Invalid FREQ value, must be >= 0 and <= 255");
          }
        }
        default -> throw ReplyException.syntax();
      }
    }
    if (!replace && call.keys().head(call.arg(1)) != null) {
      throw new ReplyException("BUSYKEY Target key name already exists.");
    }
    long left = call.integer(2);
    if (left < 0) {
      throw ReplyException.error("Invalid TTL value, must be >= 0");
    }
    Content content = dumped(() -> RdbReader.read(Rdb.body(call.arg(3)))).at(call.now());
    long expiry =
        left == 0 ? StoredValue.FOREVER : Expiries.at(call, left, 1, absolute ? 0 : call.now());
    call.keys().remove(call.arg(1));
    if (content != null && expiry > call.now()) {
      StoredContent.write(content, call.keys(), call.arg(1), expiry);
    }
    call.reply().ok();
  }

  private static <T> T dumped(Supplier<T> task) {
    try {
      return task.get();
    } catch (RdbException e) {
      throw new ReplyException(String.valueOf(e.getMessage()));
    }
  }

  private static void need(boolean more) {
    if (!more) {
      throw ReplyException.syntax();
    }
  }
}
