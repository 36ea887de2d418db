package io.kvstadium.server.command;

import io.kvstadium.server.client.Client;
import io.kvstadium.server.database.Databases;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Command;
import io.kvstadium.server.protocol.Invocation;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A request that is being answered. */
public final class Call implements Invocation {
  private final CommandRunner runner;
  private final Client client;
  private final Command command;
  private final byte[][] request;
  private final Databases.@Nullable View view;
  private final ReplyWriter reply;
  private final boolean inBlock;
  private final boolean inScript;

  Call(
      CommandRunner runner,
      Client client,
      Command command,
      byte[][] request,
      Databases.@Nullable View view,
      ReplyWriter reply) {
    this(runner, client, command, request, view, reply, false, false);
  }

  private Call(
      CommandRunner runner,
      Client client,
      Command command,
      byte[][] request,
      Databases.@Nullable View view,
      ReplyWriter reply,
      boolean inBlock,
      boolean inScript) {
    this.runner = runner;
    this.client = client;
    this.command = command;
    this.request = request;
    this.view = view;
    this.reply = reply;
    this.inBlock = inBlock;
    this.inScript = inScript;
  }

  /** What runs the commands within this one: of a block, of a script. */
  public CommandRunner runner() {
    return runner;
  }

  /** What all commands share. */
  public ServerContext server() {
    return runner.server();
  }

  public Client client() {
    return client;
  }

  @Override
  public Command command() {
    return command;
  }

  @Override
  public byte[][] request() {
    return request;
  }

  public ReplyWriter reply() {
    return reply;
  }

  /** All databases. */
  public Databases.View view() {
    if (view == null) {
      throw new IllegalStateException(command.name() + " runs without the store");
    }
    return view;
  }

  boolean hasView() {
    return view != null;
  }

  /** The database that the client has selected. */
  public Keyspace keys() {
    return view().keyspace(client.database);
  }

  public long now() {
    return view == null ? server().clock().millis() : view.commitGroup().now();
  }

  /** A call on the same connection for a request of its MULTI block. */
  public Call of(Command other, byte[][] arguments) {
    return new Call(runner, client, other, arguments, view, reply, true, inScript);
  }

  /** A call of a script. */
  public Call inScript(Command other, byte[][] arguments, ReplyWriter to) {
    return new Call(runner, client, other, arguments, view, to, true, true);
  }

  /** The same call with other arguments. */
  public Call with(byte[]... arguments) {
    return new Call(runner, client, command, arguments, view, reply, inBlock, inScript);
  }

  /** The same request in another commit group. */
  Call in(Databases.View other) {
    return new Call(runner, client, command, request, other, reply, inBlock, inScript);
  }

  /** Whether a script calls it. */
  public boolean isInScript() {
    return inScript;
  }

  /** Whether it can be delayed: not in a MULTI block, which is executed as a whole. */
  public boolean mayWait() {
    return !inBlock;
  }

  /** The error for a subcommand with other arguments than it takes. */
  public ReplyException wrongSubcommand() {
    return ReplyException.error(
        "unknown subcommand or wrong number of arguments for '%s'. Try %s HELP.",
        Bytes.start(arg(1), 128), text(0).toUpperCase(Locale.ROOT));
  }
}
