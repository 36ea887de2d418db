package io.kvstadium.server.session;

import io.kvstadium.server.client.Client;
import io.kvstadium.server.command.CommandRunner;
import io.kvstadium.server.command.ServerContext;
import io.kvstadium.server.execute.Chore;
import io.kvstadium.server.execute.CommitGroup;
import io.kvstadium.server.scripts.Scripts;
import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What all connections share. Safe for all threads. */
public final class Sessions {
  private final CommandRunner runner;
  private final Scripts scripts;
  private final Map<EventLoop, LoopQueue> loops = new ConcurrentHashMap<>();

  public Sessions(CommandRunner runner, Scripts scripts) {
    this.runner = runner;
    this.scripts = scripts;
  }

  CommandRunner runner() {
    return runner;
  }

  ServerContext server() {
    return runner.server();
  }

  Scripts scripts() {
    return scripts;
  }

  /** The exchange with an event loop. */
  LoopQueue loop(EventLoop loop) {
    return loops.computeIfAbsent(loop, own -> new LoopQueue(own, server().executor()));
  }

  /** A connection was not let in. */
  public void rejectedOne() {
    server().statistics().rejectedOne();
  }

  /** A connection has ended: what it had begun is forgotten. */
  void gone(Client client) {
    server().listeners().leave(client);
    if (!client.watched().isEmpty()) {
      server()
          .executor()
          .write(
              new Chore() {
                @Override
                public void execute(CommitGroup commitGroup) {
                  client.unwatch();
                }
              });
    }
  }
}
