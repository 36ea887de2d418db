package io.kvstadium.server.command.sortedsets;

import io.kvstadium.server.command.BlockedClient;
import io.kvstadium.server.command.BlockedClient.Wanted;
import io.kvstadium.server.command.Call;
import io.kvstadium.server.command.ManyPop;
import io.kvstadium.server.value.Scored;
import io.kvstadium.server.value.StoredSortedSet;
import io.kvstadium.transfer.redis.Kind;

/** Commands that wait for an element of a sorted set. */
final class BlockingCommands {
  private BlockingCommands() {}

  static void bzmpop(Call call) {
    long millis = Wanted.millis(call, 1);
    ManyPop pop = ManyPop.of(call, 2, "min", "max");
    BlockedClient.run(
        call,
        new Wanted(
            pop.keys(), Kind.ZSET, millis, (each, key) -> SortedSetCommands.pop(each, key, pop)));
  }

  static void setPop(Call call, boolean min) {
    BlockedClient.run(
        call,
        new Wanted(
            Wanted.keys(call),
            Kind.ZSET,
            Wanted.millis(call, call.size() - 1),
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
