package io.kvstadium.server.redis;

import io.kvstadium.server.redis.Command.Flag;
import io.kvstadium.server.redis.Command.Handler;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All commands by name. */
final class Commands {
  /** Commands that write, and go on when there is no room for more. */
  private static final Set<String> REMOVING =
      Set.of(
          ("del unlink getdel expire pexpire expireat pexpireat flushdb flushall hdel srem spop lpop"
                  + " rpop ltrim lrem lmpop blpop brpop blmpop zrem zpopmin zpopmax zmpop bzpopmin"
                  + " bzpopmax bzmpop zremrangebyrank zremrangebyscore zremrangebylex kv.del kv.drop"
                  + " exec discard watch unwatch reset")
              .split(" "));

  private final Map<String, Command> byName = new TreeMap<>();

  /** The same by the bytes of the name, in either case: looked up for each request. */
  private final Map<Bytes, Command> byBytes = new HashMap<>();

  Commands() {
    ConnectionCommands.register(this);
    StringCommands.register(this);
    BitCommands.register(this);
    LongestCommon.register(this);
    KeyCommands.register(this);
    HashCommands.register(this);
    SetCommands.register(this);
    ListCommands.register(this);
    SortedSetCommands.register(this);
    SortedSetRanges.register(this);
    SortedSetAlgebra.register(this);
    BlockingCommands.register(this);
    GeoCommands.register(this);
    HyperLogLogCommands.register(this);
    SortCommands.register(this);
    DumpCommands.register(this);
    TransactionCommands.register(this);
    PubSubCommands.register(this);
    ServerCommands.register(this);
    KvCommands.register(this);
    AccessCommands.register(this);
    Refused.register(this);
    byName.forEach((name, command) -> {
      byBytes.put(new Bytes(Bytes.of(name)), command);
      byBytes.put(new Bytes(Bytes.of(name.toUpperCase(Locale.ROOT))), command);
    });
  }

  /** Adds commands of one of the groups of Redis' documentation. */
  Group group(String name) {
    return new Group(name);
  }

  /** Takes the commands of one group. */
  final class Group {
    private final String group;

    private Group(String group) {
      this.group = group;
    }

    /** One without keys. */
    Group add(String name, int arity, String flags, String since, String summary, Handler handler) {
      return add(name, arity, flags, 0, 0, 0, since, summary, handler);
    }

    /** One whose first argument is its key. */
    Group key(String name, int arity, String flags, String since, String summary, Handler handler) {
      return add(name, arity, flags, 1, 1, 1, since, summary, handler);
    }

    /** One with several keys. */
    Group add(
        String name,
        int arity,
        String flags,
        int first,
        int last,
        int step,
        String since,
        String summary,
        Handler handler) {
      Set<Flag> set = EnumSet.noneOf(Flag.class);
      for (String word : flags.split(" ")) {
        set.add(Flag.valueOf(word.toUpperCase(Locale.ROOT)));
      }
      if (REMOVING.contains(name)) {
        set.add(Flag.REMOVES);
      }
      byName.put(
          name, new Command(name, arity, set, first, last, step, group, since, summary, handler));
      return this;
    }
  }

  /** The command of a request, or {@code null} if there is none of its name. */
  @Nullable Command of(byte[] name) {
    Command command = byBytes.get(new Bytes(name));
    return command != null ? command : byName.get(Bytes.word(name));
  }

  Collection<Command> all() {
    return byName.values();
  }
}
