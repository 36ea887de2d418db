package io.kvstadium.server.command.lists;

import io.kvstadium.server.command.BlockedClient;
import io.kvstadium.server.command.BlockedClient.Wanted;
import io.kvstadium.server.command.Call;
import io.kvstadium.server.command.ManyPop;
import io.kvstadium.server.value.StoredList;
import io.kvstadium.transfer.redis.Kind;
import java.util.List;

/** Commands that wait for an element of a list. */
public final class BlockingCommands {
  private BlockingCommands() {}

  public static void blmpop(Call call) {
    long millis = Wanted.millis(call, 1);
    ManyPop pop = ManyPop.of(call, 2, "left", "right");
    BlockedClient.run(
        call,
        new Wanted(pop.keys(), Kind.LIST, millis, (each, key) -> ListCommands.pop(each, key, pop)));
  }

  public static void listPop(Call call, boolean left) {
    BlockedClient.run(
        call,
        new Wanted(
            Wanted.keys(call),
            Kind.LIST,
            Wanted.millis(call, call.size() - 1),
            (each, key) -> {
              byte[] value = ListCommands.pop(StoredList.findOrMake(each.keys(), key), left);
              each.reply().array(2);
              each.reply().bulk(key);
              each.reply().bulk(value);
            }));
  }

  public static void move(Call call, boolean fromLeft, boolean toLeft) {
    long millis = Wanted.millis(call, call.size() - 1);
    if (!call.mayWait()) { // this nil has a different form than that of a timeout
      ListCommands.moveOrNil(call, fromLeft, toLeft);
      return;
    }
    BlockedClient.run(
        call,
        new Wanted(
            List.of(call.arg(1)),
            Kind.LIST,
            millis,
            (each, _) -> ListCommands.move(each, fromLeft, toLeft)));
  }
}
