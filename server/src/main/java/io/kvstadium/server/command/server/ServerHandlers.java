package io.kvstadium.server.command.server;

import io.kvstadium.server.backup.ServedBackups;
import io.kvstadium.server.command.Handlers;
import io.kvstadium.server.notify.Channels;

/** What runs the commands on connections, transactions, publishing and the server. */
public final class ServerHandlers {
  private ServerHandlers() {}

  /**
   * Adds them.
   *
   * @param backups of the store
   * @param shutdown ends the server, when a client asks for it; returns at once
   */
  public static void addTo(
      Handlers handlers, ServerInfo info, ServedBackups backups, Runnable shutdown) {
    handlers.add("ping", ConnectionCommands::ping);
    handlers.add("echo", call -> call.reply().bulk(call.arg(1)));
    handlers.add("quit", ConnectionCommands::quit);
    handlers.add("reset", ConnectionCommands::reset);
    handlers.add("hello", ConnectionCommands::hello);
    handlers.add("auth", ConnectionCommands::auth);
    handlers.add("select", ConnectionCommands::select);
    handlers.add("client", ClientCommands::client);
    handlers.add("multi", TransactionCommands::multi);
    handlers.add("exec", TransactionCommands::exec);
    handlers.add("discard", TransactionCommands::discard);
    handlers.add("watch", TransactionCommands::watch);
    handlers.add("unwatch", TransactionCommands::unwatch);
    for (Channels.Kind kind : Channels.Kind.values()) {
      handlers.add(kind.word("subscribe"), call -> PubSubCommands.subscribe(call, kind));
      handlers.add(kind.word("unsubscribe"), call -> PubSubCommands.unsubscribe(call, kind));
    }
    handlers.add("publish", call -> PubSubCommands.publish(call, Channels.Kind.CHANNEL));
    handlers.add("spublish", call -> PubSubCommands.publish(call, Channels.Kind.SHARD));
    handlers.add("pubsub", PubSubCommands::pubsub);
    handlers.add("info", call -> ServerCommands.info(call, info));
    handlers.add("config", ServerCommands::config);
    handlers.add("slowlog", ServerCommands::slowlog);
    handlers.add("monitor", ServerCommands::monitor);
    handlers.add("latency", ServerCommands::latency);
    handlers.add(
        "lolwut", call -> call.reply().text("Redis ver. " + ServerInfo.REDIS_VERSION + "\n"));
    handlers.add("command", CommandCommands::command);
    handlers.add("time", ServerCommands::time);
    handlers.add("role", ServerCommands::role);
    handlers.add("lastsave", ServerCommands::lastsave);
    handlers.add("save", ServerCommands::save);
    handlers.add("bgsave", ServerCommands::bgsave);
    handlers.add("bgrewriteaof", ServerCommands::compact);
    handlers.add("shutdown", call -> ServerCommands.shutdown(call, shutdown));
    handlers.add("module", ServerCommands::module);
    handlers.add("wait", call -> call.reply().integer(0));
    handlers.add("cluster", ServerCommands::cluster);
    handlers.add("readonly", ServerCommands::cluster);
    handlers.add("readwrite", ServerCommands::cluster);
    handlers.add("kv.get", KvCommands::get);
    handlers.add("kv.mget", KvCommands::mget);
    handlers.add("kv.set", KvCommands::set);
    handlers.add("kv.mset", KvCommands::set);
    handlers.add("kv.del", KvCommands::del);
    handlers.add("kv.range", KvCommands::range);
    handlers.add("kv.prefix", KvCommands::prefix);
    handlers.add("kv.count", KvCommands::count);
    handlers.add("kv.tables", KvCommands::tables);
    handlers.add("kv.drop", KvCommands::drop);
    handlers.add("kv.compact", KvCommands::compact);
    handlers.add("kv.stats", KvCommands::stats);
    handlers.add("kv.backup", call -> KvBackups.run(call, backups));
    handlers.add("kv.durability", KvCommands::durability);
    handlers.add("acl", AccessCommands::acl);
  }
}
