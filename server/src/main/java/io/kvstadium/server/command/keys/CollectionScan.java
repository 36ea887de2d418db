package io.kvstadium.server.command.keys;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.command.ScanOptions;
import io.kvstadium.server.database.Cursors;
import io.kvstadium.server.value.StoredHash;
import io.kvstadium.transfer.redis.Kind;
import java.util.ArrayList;
import java.util.List;

/** HSCAN and SSCAN. */
public final class CollectionScan {
  private CollectionScan() {}

  /**
   * Answers a command of the SCAN family: the key's argument is the first, the cursor's the next.
   */
  public static void run(Call call, Kind kind) {
    Cursors.check(call.arg(2));
    StoredHash members = StoredHash.of(call.keys(), call.arg(1), kind);
    if (members.count() == 0) {
      call.reply().array(2);
      call.reply().bulk("0");
      call.reply().array(0);
      return;
    }
    ScanOptions options = ScanOptions.of(call, 3, false);
    byte[] after = call.server().databases().cursors().position(call.arg(2));
    boolean values = kind == Kind.HASH && options.values();
    List<byte[]> found = new ArrayList<>();
    byte[][] last = {null};
    int[] visited = {0};
    members.scan(
        options.pattern().prefix(),
        after,
        (name, value) -> {
          last[0] = name;
          if (options.pattern().matches(name)) {
            found.add(name);
            if (values) {
              found.add(value);
            }
          }
          return ++visited[0] < options.count();
        });
    boolean more = visited[0] == options.count();
    call.reply().array(2);
    call.reply().bulk(more ? call.server().databases().cursors().at(last[0]) : "0");
    call.reply().array(found.size());
    found.forEach(call.reply()::bulk);
  }
}
