package io.kvstadium.server;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Sorts unordered replies, depending on the command, so that replies of two servers can be
 * compared. Follows one connection, since EXEC answers what was sent before.
 */
final class Order {
  private static final Set<String> UNORDERED =
      Set.of(
          "keys",
          "smembers",
          "sunion",
          "sinter",
          "sdiff",
          "hkeys",
          "hvals",
          "config",
          "spop",
          "srandmember",
          "pubsub");
  private static final Set<String> PAIRS = Set.of("hgetall");
  private static final Set<String> SCANS = Set.of("scan", "sscan");
  private static final Set<String> PAIR_SCANS = Set.of("hscan", "zscan");

  private final List<String> queued = new ArrayList<>();

  /** A reply with its parts in the order of their bytes. */
  Reply sorted(List<byte[]> request, Reply reply) {
    String name = new String(request.getFirst(), StandardCharsets.UTF_8).toLowerCase(Locale.ROOT);
    if ("QUEUED".equals(reply.text())) {
      queued.add(name);
      return reply;
    }
    Reply result = reply;
    if (name.equals("exec") && reply.parts().size() == queued.size()) {
      List<Reply> parts = new ArrayList<>();
      for (int i = 0; i < queued.size(); i++) {
        parts.add(sorted(queued.get(i), reply.parts().get(i)));
      }
      result = reply.with(parts);
    }
    if (Set.of("exec", "discard", "reset").contains(name)) {
      queued.clear();
    }
    return sorted(name, result);
  }

  private static Reply sorted(String name, Reply reply) {
    if (UNORDERED.contains(name) && reply.isAggregate()) {
      return reply.type() == '%' ? groups(reply, 2) : groups(reply, 1);
    }
    if (PAIRS.contains(name) && reply.isAggregate()) {
      return groups(reply, 2);
    }
    boolean pairs = PAIR_SCANS.contains(name);
    if ((pairs || SCANS.contains(name)) && reply.parts().size() == 2) {
      Reply found = groups(reply.parts().getLast(), pairs ? 2 : 1);
      return reply.with(List.of(reply.parts().getFirst(), found));
    }
    return reply;
  }

  private static Reply groups(Reply reply, int size) {
    List<List<Reply>> groups = new ArrayList<>();
    for (int i = 0; i + size <= reply.parts().size(); i += size) {
      groups.add(reply.parts().subList(i, i + size));
    }
    groups.sort(Comparator.comparing(List::toString));
    return reply.with(groups.stream().flatMap(List::stream).toList());
  }
}
