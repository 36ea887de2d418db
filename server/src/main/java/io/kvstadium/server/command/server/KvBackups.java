package io.kvstadium.server.command.server;

import io.kvstadium.backup.Backup;
import io.kvstadium.server.backup.ServedBackups;
import io.kvstadium.server.command.Call;
import io.kvstadium.server.protocol.ReplyException;
import io.kvstadium.server.protocol.ReplyWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** KV.BACKUP: CREATE, LIST, VERIFY id and DELETE id. */
public final class KvBackups {
  private KvBackups() {}

  static void run(Call call, ServedBackups backups) {
    String action = call.lowerCase(1);
    int size =
        switch (action) {
          case "create", "list" -> 2;
          case "verify", "delete" -> 3;
          default ->
              throw ReplyException.error(
                  "unknown subcommand '%s': there are CREATE, LIST, VERIFY id and DELETE id",
                  call.text(1));
        };
    if (call.size() != size) {
      throw ReplyException.arity("kv.backup|" + action);
    }
    switch (action) {
      case "create" -> call.reply().integer(backups.create().id());
      case "list" -> list(call, backups.list());
      case "verify" -> verify(call, backups.verify(call.text(2)));
      default -> call.reply().integer(backups.delete(call.text(2)) ? 1 : 0);
    }
  }

  private static void list(Call call, List<Backup> all) {
    ReplyWriter reply = call.reply();
    reply.array(all.size());
    for (Backup backup : all) {
      reply.map(6);
      reply.bulk("id");
      reply.integer(backup.id());
      reply.bulk("time");
      reply.integer(backup.time().getEpochSecond());
      reply.bulk("engine");
      reply.bulk(backup.engine());
      reply.bulk("form");
      reply.bulk(backup.form().name().toLowerCase(Locale.ROOT));
      reply.bulk("bytes");
      reply.integer(backup.bytes());
      reply.bulk("written");
      reply.integer(backup.written());
    }
  }

  private static void verify(Call call, @Nullable List<String> problems) {
    if (problems == null) {
      throw ReplyException.error("there is no backup %s", call.text(2));
    }
    if (!problems.isEmpty()) {
      throw ReplyException.error("%s", String.join("; ", problems));
    }
    call.reply().ok();
  }
}
