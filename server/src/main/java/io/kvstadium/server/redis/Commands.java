package io.kvstadium.server.redis;

import io.kvstadium.server.redis.Command.Flag;
import io.kvstadium.server.redis.Command.Handler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All commands by name. */
final class Commands {
  /** Commands that write, and are still allowed when the disk is nearly full. */
  private static final Set<String> REMOVING =
      Set.of(
          ("del unlink getdel expire pexpire expireat pexpireat flushdb flushall hdel srem spop lpop"
                  + " rpop ltrim lrem lmpop blpop brpop blmpop zrem zpopmin zpopmax zmpop bzpopmin"
                  + " bzpopmax bzmpop zremrangebyrank zremrangebyscore zremrangebylex xdel xtrim xack kv.del kv.drop")
              .split(" "));

  /** Commands that scripts cannot call; those with subcommands have none that they can. */
  private static final Set<String> NOSCRIPT =
      Set.of(
          ("acl auth bgrewriteaof bgsave blmove blmpop blpop brpop brpoplpush bzmpop bzpopmax"
                  + " bzpopmin client cluster config debug discard eval eval_ro evalsha evalsha_ro"
                  + " exec failover fcall fcall_ro function hello latency module monitor multi"
                  + " psubscribe psync punsubscribe quit replconf replicaof reset role save script"
                  + " shutdown slaveof ssubscribe subscribe sunsubscribe sync unsubscribe unwatch"
                  + " wait watch")
              .split(" "));

  private final Map<String, Command> byName = new TreeMap<>();

  /** By the bytes of the name, in either case: looked up for each request. */
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
    StreamCommands.register(this);
    SortCommands.register(this);
    DumpCommands.register(this);
    TransactionCommands.register(this);
    PubSubCommands.register(this);
    ServerCommands.register(this);
    KvCommands.register(this);
    AccessCommands.register(this);
    ScriptCommands.register(this);
    Refused.register(this);
    byName.forEach((name, command) -> {
      byBytes.put(new Bytes(Bytes.of(name)), command);
      byBytes.put(new Bytes(Bytes.of(name.toUpperCase(Locale.ROOT))), command);
    });
  }

  /** Adds commands of a group of Redis' documentation. */
  Group group(String name) {
    return new Group(name);
  }

  /** Takes the commands of one group. */
  final class Group {
    private final String group;

    private Group(String group) {
      this.group = group;
    }

    /** Adds a command without keys. */
    Group add(String name, int arity, String flags, String since, String summary, Handler handler) {
      return add(name, arity, flags, 0, 0, 0, since, summary, handler);
    }

    /** Adds a command whose first argument is its key. */
    Group key(String name, int arity, String flags, String since, String summary, Handler handler) {
      return add(name, arity, flags, 1, 1, 1, since, summary, handler);
    }

    /** Adds a command with several keys. */
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
      Set<Flag> set = Command.flags(flags.split(" "));
      if (REMOVING.contains(name)) {
        set.add(Flag.REMOVES);
      }
      if (NOSCRIPT.contains(name)) {
        set.add(Flag.NOSCRIPT);
      }
      Map<String, Command> parts =
          Subcommands.of(name, group, handler, set.contains(Flag.NOSCRIPT));
      byName.put(
          name,
          new Command(name, arity, set, first, last, step, group, since, summary, handler, parts));
      return this;
    }
  }

  /**
   * The command of a request, or its subcommand if that is known; {@code null} if there is no such
   * command.
   */
  @Nullable Command of(byte[][] request) {
    Command command = byBytes.get(new Bytes(request[0]));
    if (command == null) {
      command = byName.get(Bytes.word(request[0]));
    }
    return command == null || command.subcommands().isEmpty() || request.length == 1
        ? command
        : command.subcommands().getOrDefault(Bytes.word(request[1]), command);
  }

  /** The command with a name such as {@code get} or {@code client|id}, or {@code null}. */
  @Nullable Command named(byte[] name) {
    String[] words = Bytes.word(name).split("\\|", 2);
    Command command = byName.get(words[0]);
    return command == null || words.length == 1 ? command : command.subcommands().get(words[1]);
  }

  /** All commands, without subcommands. */
  Collection<Command> all() {
    return byName.values();
  }

  /** All commands, each followed by its subcommands. */
  List<Command> withSubcommands() {
    List<Command> found = new ArrayList<>();
    for (Command each : byName.values()) {
      found.add(each);
      found.addAll(each.subcommands().values());
    }
    return found;
  }
}
