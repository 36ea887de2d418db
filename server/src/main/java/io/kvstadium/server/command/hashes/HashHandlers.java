package io.kvstadium.server.command.hashes;

import io.kvstadium.server.command.Handlers;
import io.kvstadium.server.command.keys.CollectionScan;
import io.kvstadium.server.value.StoredHash.Member;
import io.kvstadium.transfer.redis.Kind;

/** What runs the commands on hashes. */
public final class HashHandlers {
  private HashHandlers() {}

  /** Adds them. */
  public static void addTo(Handlers handlers) {
    handlers.add("hset", call -> HashCommands.hset(call, true));
    handlers.add("hmset", call -> HashCommands.hset(call, false));
    handlers.add("hsetnx", HashCommands::hsetnx);
    handlers.add("hget", HashCommands::hget);
    handlers.add("hmget", HashCommands::hmget);
    handlers.add("hgetall", HashCommands::hgetall);
    handlers.add("hdel", HashCommands::hdel);
    handlers.add("hlen", HashCommands::hlen);
    handlers.add(
        "hexists", call -> call.reply().integer(HashCommands.hash(call).has(call.arg(2)) ? 1 : 0));
    handlers.add("hkeys", call -> HashCommands.list(call, Member::name));
    handlers.add("hvals", call -> HashCommands.list(call, Member::value));
    handlers.add("hstrlen", HashCommands::hstrlen);
    handlers.add("hincrby", HashCommands::hincrby);
    handlers.add("hincrbyfloat", HashCommands::hincrbyfloat);
    handlers.add("hrandfield", HashCommands::hrandfield);
    handlers.add("hexpire", call -> FieldExpiryCommands.expire(call, 1_000, true));
    handlers.add("hpexpire", call -> FieldExpiryCommands.expire(call, 1, true));
    handlers.add("hexpireat", call -> FieldExpiryCommands.expire(call, 1_000, false));
    handlers.add("hpexpireat", call -> FieldExpiryCommands.expire(call, 1, false));
    handlers.add("httl", call -> FieldExpiryCommands.left(call, 1_000, true));
    handlers.add("hpttl", call -> FieldExpiryCommands.left(call, 1, true));
    handlers.add("hexpiretime", call -> FieldExpiryCommands.left(call, 1_000, false));
    handlers.add("hpexpiretime", call -> FieldExpiryCommands.left(call, 1, false));
    handlers.add("hpersist", FieldExpiryCommands::persist);
    handlers.add("hscan", call -> CollectionScan.run(call, Kind.HASH));
  }
}
