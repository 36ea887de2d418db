package io.kvstadium.server.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The subcommands: what the second word of some commands can be. */
final class Subcommands {
  /** Name, arity, flags, since when, and what it does; those that read or write have one key. */
  private static final String TABLE =
      """
      acl|cat             -2 local        6.0.0 Lists the categories, or the commands of one.
      acl|deluser         -3 admin,local  6.0.0 Removes users.
      acl|dryrun          -4 admin,local  7.0.0 Returns whether a user may send a request.
      acl|genpass         -2 local        6.0.0 Returns a password that nobody can guess.
      acl|getuser          3 admin,local  6.0.0 Describes a user.
      acl|list             2 admin,local  6.0.0 Lists the rules of all users.
      acl|load             2 admin,local  6.0.0 Fails: users are set in the server's own file.
      acl|log             -2 admin,local  6.0.0 Returns what was not allowed lately.
      acl|save             2 admin,local  6.0.0 Fails: users are set in the server's own file.
      acl|setuser         -3 admin,local  6.0.0 Makes or changes a user.
      acl|users            2 admin,local  6.0.0 Lists the names of all users.
      acl|whoami           2 local        6.0.0 Returns the connection's user.
      client|caching       3 local        6.0.0 Sets whether what the next request reads is tracked.
      client|getname       2 local        2.6.9 Returns the connection's name.
      client|getredir      2 local        6.0.0 Returns which client is notified of changes.
      client|id            2 local        5.0.0 Returns the connection's number.
      client|info          2 local        6.2.0 Describes the connection.
      client|kill         -3 admin,local  2.4.0 Ends connections.
      client|list         -2 admin,local  2.4.0 Describes all connections.
      client|no-evict      3 admin,local  7.0.0 Does nothing: keys are not evicted.
      client|no-touch      3 local        7.2.0 Does nothing: keys are not evicted.
      client|pause        -3 admin,local  3.0.0 Makes requests wait.
      client|reply         3 local        3.2.0 Sets which requests are answered.
      client|setinfo       4 local        7.2.0 Sets the name and version of the client's library.
      client|setname       3 local        2.6.9 Sets the connection's name.
      client|tracking     -3 local        6.0.0 Reports when something that was read changes.
      client|trackinginfo  2 local        6.2.0 Returns how changes are tracked.
      client|unblock      -3 admin,local  5.0.0 Ends a request that waits.
      client|unpause       2 admin,local  6.2.0 Ends a pause.
      command|count        2 local        2.8.13 Returns how many commands there are.
      command|docs        -2 local        7.0.0 Explains what commands do.
      command|getkeys     -4 local        2.8.13 Returns the keys of a request.
      command|getkeysandflags -4 local 7.0.0 Returns the keys of a request, and what it does to them.
      command|info        -2 local        2.8.13 Describes commands.
      command|list        -2 local        7.0.0 Lists the names of commands.
      config|get          -3 admin,local  2.0.0 Returns parameters.
      config|resetstat     2 admin,local  2.0.0 Resets the counters.
      config|rewrite       2 admin,local  2.8.0 Fails: the server does not write its file.
      config|set          -4 admin,local  2.0.0 Sets parameters.
      latency|doctor       2 admin,local,refused 2.8.13 Not supported.
      latency|graph        3 admin,local,refused 2.8.13 Not supported.
      latency|histogram   -2 admin,local  7.0.0 Returns how long commands took.
      latency|history      3 admin,local  2.8.13 Reports no delays.
      latency|latest       2 admin,local  2.8.13 Reports no delays.
      latency|reset       -2 admin,local  2.8.13 Does nothing.
      memory|doctor        2 local        4.0.0 Says whether clients hold too much memory.
      memory|malloc-stats  2 local,refused 4.0.0 Not supported.
      memory|purge         2 local,refused 4.0.0 Not supported.
      memory|stats         2 local        4.0.0 Returns what takes memory.
      memory|usage        -3 readonly     4.0.0 Returns how many bytes a key takes.
      module|list          2 admin,local  4.0.0 Lists modules: there are none.
      module|load         -3 admin,local,refused 4.0.0 Not supported.
      module|loadex       -3 admin,local,refused 7.0.0 Not supported.
      module|unload        3 admin,local,refused 4.0.0 Not supported.
      object|encoding      3 readonly     2.2.3 Returns how Redis would keep the value.
      object|freq          3 readonly     4.0.0 Fails: keys are not evicted.
      object|idletime      3 readonly     2.2.3 Returns 0: when keys were read is not recorded.
      object|refcount      3 readonly     2.2.3 Returns 1.
      pubsub|channels     -2 pubsub,local 2.8.0 Lists the channels that somebody listens to.
      pubsub|numpat        2 pubsub,local 2.8.0 Returns how many patterns somebody listens to.
      pubsub|numsub       -2 pubsub,local 2.8.0 Returns how many listen to channels.
      pubsub|shardchannels -2 pubsub,local,refused 7.0.0 Not supported.
      pubsub|shardnumsub  -2 pubsub,local,refused 7.0.0 Not supported.
      script|debug         3 local,refused 3.2.0 Not supported.
      script|exists       -3 local        2.6.0 Returns which scripts are known.
      script|flush        -2 local        2.6.0 Forgets all scripts.
      script|kill          2 local        2.6.0 Ends scripts that have not written.
      script|load          3 long         2.6.0 Makes a script known; returns its SHA-1.
      slowlog|get         -2 admin,local  2.2.12 Returns which requests took long.
      slowlog|len          2 admin,local  2.2.12 Returns how many are kept.
      slowlog|reset        2 admin,local  2.2.12 Forgets them.
      xgroup|create       -5 write        5.0.0 Makes a group.
      xgroup|createconsumer 5 write       6.2.0 Makes a consumer in a group.
      xgroup|delconsumer   5 write,removes 5.0.0 Removes a consumer, and what is pending for it.
      xgroup|destroy       4 write,removes 5.0.0 Removes a group.
      xgroup|setid        -5 write        5.0.0 Sets what was delivered last.
      xinfo|consumers      4 readonly,whole 5.0.0 Describes the consumers of a group.
      xinfo|groups         3 readonly,whole 5.0.0 Describes the groups of a stream.
      xinfo|stream        -3 readonly,whole,long 5.0.0 Describes a stream; with FULL, also its content.
      """;

  private Subcommands() {}

  /** The subcommands of a command by their second words; most commands have none. */
  static Map<String, Command> of(
      String name, String group, Command.Handler handler, boolean noScript) {
    Map<String, Command> found = new TreeMap<>();
    TABLE
        .lines()
        .filter(line -> line.startsWith(name + "|"))
        .map(line -> line.split(" +", 5))
        .map(line ->
            command(line[0], Integer.parseInt(line[1]), line[2], group, line[3], line[4], handler))
        .forEach(each -> found.put(each.name().substring(name.length() + 1), each));
    if (!found.isEmpty()) {
      String help = "Lists the subcommands.";
      found.put(
          "help", command(name + "|help", 2, "local", group, "5.0.0", help, Subcommands::help));
    }
    if (noScript) {
      found.values().forEach(each -> each.flags().add(Command.Flag.NOSCRIPT));
    }
    return found;
  }

  private static Command command(
      String name,
      int arity,
      String flags,
      String group,
      String since,
      String summary,
      Command.Handler handler) {
    Set<Command.Flag> set = Command.flags(flags.split(","));
    boolean hasKey = set.contains(Command.Flag.READONLY) || set.contains(Command.Flag.WRITE);
    int key = hasKey ? 2 : 0;
    Command.Handler own = set.contains(Command.Flag.REFUSED) ? Subcommands::refuse : handler;
    return new Command(
        name, arity, set, key, key, key == 0 ? 0 : 1, group, since, summary, own, Map.of());
  }

  private static void help(Call call) {
    Command all = call.redis().commands().of(new byte[][] {call.arg(0)});
    List<String> lines = new ArrayList<>();
    String upper = call.text(0).toUpperCase(Locale.ROOT);
    lines.add(upper + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
    if (all != null) {
      all.subcommands()
          .forEach((word, each) -> {
            lines.add(word.toUpperCase(Locale.ROOT));
            lines.add("    " + each.summary());
          });
    }
    call.reply().array(lines.size());
    lines.forEach(call.reply()::simple);
  }

  private static void refuse(Call call) {
    throw ReplyException.error(
        "%s is not supported: %s",
        call.command().name().replace('|', ' ').toUpperCase(Locale.ROOT), Refused.PAGE);
  }

  /** The error for an unknown second word. */
  static ReplyException unknown(Command command, byte[] word) {
    return ReplyException.error(
        "unknown subcommand '%s'. Try %s HELP.",
        Bytes.text(word), command.name().toUpperCase(Locale.ROOT));
  }
}
