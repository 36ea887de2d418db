package io.kvstadium.server.command.keys;

import io.kvstadium.server.command.Call;
import io.kvstadium.server.database.Keys;
import io.kvstadium.server.database.StoredValue;
import io.kvstadium.server.execute.Walk;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.LinkedHashMap;
import java.util.Map;

/** What MEMORY tells. */
final class MemoryCommands {
  private MemoryCommands() {}

  static void memory(Call call) {
    switch (call.lowerCase(1)) {
      case "stats" -> memoryStats(call);
      case "doctor" ->
          call.reply()
              .bulk(
                  "Clients hold %d of at most %d MB of requests and replies; the heap is %d of at most %d MB."
                      .formatted(
                          call.server().clients().budget().used() >> 20,
                          call.server().clients().budget().max() >> 20,
                          heap().getUsed() >> 20,
                          heap().getMax() >> 20));
      default -> usage(call);
    }
  }

  private static MemoryUsage heap() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
  }

  /** Of Redis' figures those that exist here: data is on disk, or in the engine's caches. */
  private static void memoryStats(Call call) {
    long peak = 0;
    for (MemoryPoolMXBean each : ManagementFactory.getMemoryPoolMXBeans()) {
      peak += each.getType() == MemoryType.HEAP ? each.getPeakUsage().getUsed() : 0;
    }
    Map<String, Long> figures = new LinkedHashMap<>();
    figures.put("peak.allocated", peak);
    figures.put("total.allocated", heap().getUsed());
    figures.put("clients.normal", call.server().clients().budget().used());
    figures.put("keys.count", call.server().databases().keys());
    call.reply().map(figures.size());
    figures.forEach((name, value) -> {
      call.reply().bulk(name);
      call.reply().integer(value);
    });
  }

  private static void usage(Call call) {
    StoredValue storedValue = call.keys().head(call.arg(2));
    if (storedValue == null) {
      call.reply().nil();
      return;
    }
    long bytes = (long) call.arg(2).length + storedValue.storedLength();
    if (storedValue.inFragments()) {
      bytes += call.keys().fragments().bytes(storedValue.elements());
    } else if (storedValue.hasElements()) {
      try (Walk all =
          call.keys().elements().walk(Keys.elements(storedValue.elements().generation()))) {
        while (all.next()) {
          bytes += all.key().length + (long) all.head(0).length();
        }
      }
    }
    call.reply().integer(bytes);
  }
}
