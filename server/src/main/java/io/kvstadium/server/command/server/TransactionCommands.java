package io.kvstadium.server.command.server;

import io.kvstadium.server.client.Client;
import io.kvstadium.server.client.Client.Watched;
import io.kvstadium.server.command.Call;
import io.kvstadium.server.database.Keyspace;
import io.kvstadium.server.protocol.Bytes;
import io.kvstadium.server.protocol.Command;
import io.kvstadium.server.protocol.Command.Flag;
import io.kvstadium.server.protocol.Invocation;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.Request;
import java.util.ArrayList;
import java.util.List;

/** Blocks of commands that are executed together. */
public final class TransactionCommands {
  private TransactionCommands() {}

  public static void multi(Call call) {
    if (call.client().inMulti()) {
      throw ReplyException.error("MULTI calls can not be nested");
    }
    call.client().queue = new ArrayList<>();
    call.reply().ok();
  }

  public static void exec(Call call) {
    Client client = call.client();
    List<Request> requests = client.queue;
    if (requests == null) {
      throw ReplyException.error("EXEC without MULTI");
    }
    boolean broken = client.queueBroken;
    boolean spoiled =
        client.spoiled()
            || client.watched().stream().anyMatch(key -> key.alive() && expired(call, key));
    client.endMulti();
    client.unwatch();
    if (broken) {
      throw new ReplyException("EXECABORT Transaction discarded because of previous errors.");
    }
    if (spoiled) {
      call.reply().nilArray();
      return;
    }
    makeRoom(call, requests);
    call.reply().array(requests.size());
    for (Request request : requests) {
      Command command = request.command();
      if (command == null) {
        throw new IllegalStateException("put off, and not known");
      }
      try {
        call.runner().checkAccess(call.client(), command, request.arguments(), "multi");
        call.runner().run(call.of(command, request.arguments()));
      } catch (ReplyException e) {
        call.reply()
            .error(
                "NOPERM ACLs rules changed between the moment the transaction was accumulated and"
                    + " the EXEC call: "
                    + e.text().replaceFirst("^NOPERM ", ""));
      }
    }
  }

  private static void makeRoom(Call call, List<Request> requests) {
    long bytes = 0;
    for (Request request : requests) {
      Command command = request.command();
      if (command != null && command.is(Flag.DENYOOM)) {
        bytes += Invocation.bytes(request.arguments());
      }
    }
    if (bytes > 0) {
      try {
        call.server().sizeLimit().makeRoom(call.view(), bytes);
      } catch (ReplyException e) {
        throw new ReplyException("EXECABORT Transaction discarded because of: " + e.text());
      }
    }
  }

  private static boolean expired(Call call, Watched key) {
    Keyspace keys = call.view().stored(key.database().number());
    return keys.head(key.key().value()) == null;
  }

  public static void discard(Call call) {
    if (!call.client().inMulti()) {
      throw ReplyException.error("DISCARD without MULTI");
    }
    call.client().endMulti();
    call.client().unwatch();
    call.reply().ok();
  }

  public static void watch(Call call) {
    if (call.client().inMulti()) {
      throw ReplyException.error("WATCH inside MULTI is not allowed");
    }
    for (int i = 1; i < call.size(); i++) {
      Bytes key = new Bytes(call.arg(i));
      boolean alive = call.keys().head(call.arg(i)) != null;
      call.client().watch(new Watched(call.keys().database(), key, alive));
    }
    call.reply().ok();
  }

  public static void unwatch(Call call) {
    call.client().unwatch();
    call.reply().ok();
  }
}
