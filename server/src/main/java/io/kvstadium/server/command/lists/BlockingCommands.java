package io.kvstadium.server.command.lists;

import io.kvstadium.server.command.BlockedClient;
import io.kvstadium.server.command.BlockedClient.Wanted;
import io.kvstadium.server.command.Call;
import io.kvstadium.server.command.ManyPop;
import io.kvstadium.server.command.sortedsets.SortedSetCommands;
import io.kvstadium.server.database.Kind;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.value.Scored;
import io.kvstadium.server.value.StoredList;
import io.kvstadium.server.value.StoredSortedSet;
import java.util.Arrays;
import java.util.List;

/** CommandTable that wait for an element. */
public final class BlockingCommands {
  private BlockingCommands() {}

  /** How long to wait, given in seconds. */
  private static long millis(Call call, int i) {
    double millis;
    try {
      millis = Numbers.real(call.arg(i)) * 1_000;
    } catch (ReplyException e) {
      throw ReplyException.error("timeout is not a float or out of range");
    }
    if (millis > Long.MAX_VALUE - call.now()) {
      throw ReplyException.error("timeout is out of range");
    }
    if (millis < 0) {
      throw ReplyException.error("timeout is negative");
    }
    return (long) Math.ceil(millis);
  }

  private static List<byte[]> keys(Call call) {
    return Arrays.asList(call.request()).subList(1, call.size() - 1);
  }

  public static void blmpop(Call call) {
    long millis = millis(call, 1);
    ManyPop pop = ManyPop.of(call, 2, "left", "right");
    BlockedClient.run(
        call,
        new Wanted(pop.keys(), Kind.LIST, millis, (each, key) -> ListCommands.pop(each, key, pop)));
  }

  public static void bzmpop(Call call) {
    long millis = millis(call, 1);
    ManyPop pop = ManyPop.of(call, 2, "min", "max");
    BlockedClient.run(
        call,
        new Wanted(
            pop.keys(), Kind.ZSET, millis, (each, key) -> SortedSetCommands.pop(each, key, pop)));
  }

  public static void listPop(Call call, boolean left) {
    BlockedClient.run(
        call,
        new Wanted(
            keys(call),
            Kind.LIST,
            millis(call, call.size() - 1),
            (each, key) -> {
              byte[] value = ListCommands.pop(StoredList.findOrMake(each.keys(), key), left);
              each.reply().array(2);
              each.reply().bulk(key);
              each.reply().bulk(value);
            }));
  }

  public static void move(Call call, boolean fromLeft, boolean toLeft) {
    long millis = millis(call, call.size() - 1);
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

  public static void setPop(Call call, boolean min) {
    BlockedClient.run(
        call,
        new Wanted(
            keys(call),
            Kind.ZSET,
            millis(call, call.size() - 1),
            (each, key) -> {
              StoredSortedSet set = StoredSortedSet.findOrMake(each.keys(), key);
              Scored taken = SortedSetCommands.pop(set, 1, min).getFirst();
              each.reply().array(3);
              each.reply().bulk(key);
              each.reply().bulk(taken.member());
              each.reply().real(taken.score());
            }));
  }
}
