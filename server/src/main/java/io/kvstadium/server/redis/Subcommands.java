package io.kvstadium.server.redis;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What the second word of a request can be that no command of ours knows. */
final class Subcommands {
  private static final Map<String, String> KNOWN =
      Map.of(
          "acl", "CAT DELUSER GENPASS GETUSER LIST LOAD SAVE SETUSER USERS WHOAMI",
          "client",
              "CACHING GETNAME GETREDIR ID INFO KILL LIST NO-EVICT NO-TOUCH PAUSE REPLY SETINFO"
                  + " SETNAME TRACKING TRACKINGINFO UNBLOCK UNPAUSE",
          "command", "COUNT DOCS GETKEYS INFO LIST",
          "config", "GET RESETSTAT REWRITE SET",
          "latency", "HISTORY LATEST RESET",
          "memory", "USAGE",
          "module", "LIST",
          "object", "ENCODING FREQ IDLETIME REFCOUNT",
          "pubsub", "CHANNELS NUMPAT NUMSUB",
          "slowlog", "GET LEN RESET");

  /** Redis has these, and this server has not. */
  private static final Set<String> REFUSED =
      Set.of(
          "acl|log",
          "acl|dryrun",
          "command|getkeysandflags",
          "latency|doctor",
          "latency|graph",
          "latency|histogram",
          "memory|doctor",
          "memory|malloc-stats",
          "memory|purge",
          "memory|stats",
          "module|load",
          "module|loadex",
          "module|unload",
          "pubsub|shardchannels",
          "pubsub|shardnumsub");

  private Subcommands() {}

  /** Answers HELP; everything else is an error. */
  static void other(Call call) {
    String name = call.command().name();
    String upper = name.toUpperCase(Locale.ROOT);
    if (call.word(1).equals("help")) {
      List<String> known = List.of(KNOWN.getOrDefault(name, "").split(" "));
      call.reply().array(known.size() + 1);
      call.reply().simple(upper + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
      known.forEach(call.reply()::simple);
      return;
    }
    if (REFUSED.contains(name + "|" + call.word(1))) {
      throw ReplyException.error(
          "%s %s is not supported: %s", upper, call.word(1).toUpperCase(Locale.ROOT), Refused.PAGE);
    }
    throw ReplyException.error("unknown subcommand '%s'. Try %s HELP.", call.text(1), upper);
  }
}
