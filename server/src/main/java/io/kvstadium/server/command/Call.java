package io.kvstadium.server.command;

import io.kvstadium.server.database.Databases;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Numbers;
import io.kvstadium.server.protocol.ReplyWriter;
import org.jspecify.annotations.Nullable;

/** A request that is being answered. */
public final class Call {
  private final Redis redis;
  private final Client client;
  private final Command command;
  private final byte[][] request;
  private final Databases.@Nullable View view;
  private final ReplyWriter reply;
  private final boolean inBlock;
  private final boolean inScript;

  Call(
      Redis redis,
      Client client,
      Command command,
      byte[][] request,
      Databases.@Nullable View view,
      ReplyWriter reply) {
    this(redis, client, command, request, view, reply, false, false);
  }

  private Call(
      Redis redis,
      Client client,
      Command command,
      byte[][] request,
      Databases.@Nullable View view,
      ReplyWriter reply,
      boolean inBlock,
      boolean inScript) {
    this.redis = redis;
    this.client = client;
    this.command = command;
    this.request = request;
    this.view = view;
    this.reply = reply;
    this.inBlock = inBlock;
    this.inScript = inScript;
  }

  public Redis redis() {
    return redis;
  }

  public Client client() {
    return client;
  }

  public Command command() {
    return command;
  }

  /** The number of words, the command's name included. */
  public int size() {
    return request.length;
  }

  /** A word; 0 is the command's name. */
  public byte[] arg(int i) {
    return request[i];
  }

  /** A word in lower case, for comparing. */
  public String word(int i) {
    return Bytes.word(request[i]);
  }

  public String text(int i) {
    return Bytes.text(request[i]);
  }

  public long integer(int i) {
    return Numbers.integer(request[i]);
  }

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
    return view == null ? redis.clock().millis() : view.commitGroup().now();
  }

  /** A call on the same connection for a request of its MULTI block. */
  public Call of(Command other, byte[][] words) {
    return new Call(redis, client, other, words, view, reply, true, inScript);
  }

  /** A call of a script. */
  public Call inScript(Command other, byte[][] words, ReplyWriter to) {
    return new Call(redis, client, other, words, view, to, true, true);
  }

  /** The same call with other words. */
  public Call with(byte[]... words) {
    return new Call(redis, client, command, words, view, reply, inBlock, inScript);
  }

  /** The same request in another commit group. */
  Call in(Databases.View other) {
    return new Call(redis, client, command, request, other, reply, inBlock, inScript);
  }

  /** Whether a script calls it. */
  public boolean isInScript() {
    return inScript;
  }

  /** Whether it can be delayed: not in a MULTI block, which is executed as a whole. */
  public boolean mayWait() {
    return !inBlock;
  }
}
