package io.kvstadium.server.command.sortedsets;

import io.kvstadium.server.command.Handlers;
import io.kvstadium.server.command.sortedsets.GeoSearch.Form;
import io.kvstadium.server.command.sortedsets.SortedSetAlgebra.Operation;
import io.kvstadium.server.command.sortedsets.SortedSetRanges.Order;

/** What runs the commands on sorted sets and places. */
public final class SortedSetHandlers {
  private SortedSetHandlers() {}

  /** Adds them. */
  public static void addTo(Handlers handlers) {
    handlers.add("zadd", SortedSetCommands::zadd);
    handlers.add("zincrby", SortedSetCommands::zincrby);
    handlers.add("zrem", SortedSetCommands::zrem);
    handlers.add("zcard", SortedSetCommands::zcard);
    handlers.add("zscore", SortedSetCommands::zscore);
    handlers.add("zmscore", SortedSetCommands::zmscore);
    handlers.add("zrank", call -> SortedSetCommands.rank(call, false));
    handlers.add("zrevrank", call -> SortedSetCommands.rank(call, true));
    handlers.add("zpopmin", call -> SortedSetCommands.pop(call, true));
    handlers.add("zpopmax", call -> SortedSetCommands.pop(call, false));
    handlers.add("zmpop", SortedSetCommands::zmpop);
    handlers.add("zrandmember", SortedSetCommands::zrandmember);
    handlers.add("zscan", SortedSetCommands::zscan);
    handlers.add("zrange", call -> SortedSetRanges.range(call, null, false));
    handlers.add("zrevrange", call -> SortedSetRanges.range(call, Order.RANK, true));
    handlers.add("zrangebyscore", call -> SortedSetRanges.range(call, Order.SCORE, false));
    handlers.add("zrevrangebyscore", call -> SortedSetRanges.range(call, Order.SCORE, true));
    handlers.add("zrangebylex", call -> SortedSetRanges.range(call, Order.NAME, false));
    handlers.add("zrevrangebylex", call -> SortedSetRanges.range(call, Order.NAME, true));
    handlers.add("zrangestore", SortedSetRanges::zrangestore);
    handlers.add("zcount", call -> SortedSetRanges.count(call, Order.SCORE));
    handlers.add("zlexcount", call -> SortedSetRanges.count(call, Order.NAME));
    handlers.add("zremrangebyrank", call -> SortedSetRanges.remove(call, Order.RANK));
    handlers.add("zremrangebyscore", call -> SortedSetRanges.remove(call, Order.SCORE));
    handlers.add("zremrangebylex", call -> SortedSetRanges.remove(call, Order.NAME));
    handlers.add("zunion", call -> SortedSetAlgebra.show(call, Operation.UNION));
    handlers.add("zunionstore", call -> SortedSetAlgebra.store(call, Operation.UNION));
    handlers.add("zinter", call -> SortedSetAlgebra.show(call, Operation.INTERSECTION));
    handlers.add("zinterstore", call -> SortedSetAlgebra.store(call, Operation.INTERSECTION));
    handlers.add("zdiff", call -> SortedSetAlgebra.show(call, Operation.DIFFERENCE));
    handlers.add("zdiffstore", call -> SortedSetAlgebra.store(call, Operation.DIFFERENCE));
    handlers.add("zintercard", SortedSetAlgebra::zintercard);
    handlers.add("bzpopmin", call -> BlockingCommands.setPop(call, true));
    handlers.add("bzpopmax", call -> BlockingCommands.setPop(call, false));
    handlers.add("bzmpop", BlockingCommands::bzmpop);
    handlers.add("geoadd", GeoCommands::geoadd);
    handlers.add("geopos", GeoCommands::geopos);
    handlers.add("geohash", GeoCommands::geohash);
    handlers.add("geodist", GeoCommands::geodist);
    handlers.add("geosearch", call -> new GeoSearch(call, Form.SEARCH, false).run());
    handlers.add("geosearchstore", call -> new GeoSearch(call, Form.STORE, false).run());
    handlers.add("georadius", call -> new GeoSearch(call, Form.AROUND_PLACE, true).run());
    handlers.add("georadius_ro", call -> new GeoSearch(call, Form.AROUND_PLACE, false).run());
    handlers.add("georadiusbymember", call -> new GeoSearch(call, Form.AROUND_MEMBER, true).run());
    handlers.add(
        "georadiusbymember_ro", call -> new GeoSearch(call, Form.AROUND_MEMBER, false).run());
  }
}
