package io.kvstadium.server.redis;

import io.kvstadium.store.Store;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What INFO tells: sections of names and values, those of Redis where they mean something here. */
final class ServerInfo {
  /** The version whose commands are answered: clients choose by it what they send. */
  static final String REDIS_VERSION = "7.0.15";

  private final Redis redis;

  ServerInfo(Redis redis) {
    this.redis = redis;
  }

  /**
   * The text.
   *
   * @param wanted names of sections in lower case; empty for all
   */
  String text(Set<String> wanted) {
    boolean all =
        wanted.isEmpty()
            || wanted.stream().anyMatch(Set.of("all", "everything", "default")::contains);
    return sections().entrySet().stream()
        .filter(each -> all || wanted.contains(each.getKey().toLowerCase(Locale.ROOT)))
        .map(each ->
            each.getValue().entrySet().stream()
                .map(line -> line.getKey() + ":" + line.getValue() + "\r\n")
                .collect(Collectors.joining("", "# " + each.getKey() + "\r\n", "")))
        .collect(Collectors.joining("\r\n"));
  }

  private Map<String, Map<String, Object>> sections() {
    Map<String, Map<String, Object>> sections = new LinkedHashMap<>();
    sections.put("Server", server());
    sections.put(
        "Clients",
        Map.of(
            "connected_clients",
            redis.clients().size(),
            "blocked_clients",
            redis.clients().values().stream().filter(each -> each.client().waits()).count()));
    sections.put("Memory", memory());
    sections.put(
        "Persistence", Map.of("loading", 0, "rdb_bgsave_in_progress", 0, "aof_enabled", 0));
    sections.put("Stats", stats());
    sections.put("Replication", Map.of("role", "master", "connected_slaves", 0));
    sections.put("Keyspace", keyspace());
    return sections;
  }

  private Map<String, Object> server() {
    long seconds = (redis.clock().millis() - redis.started()) / 1_000;
    Store store = redis.store();
    Map<String, Object> lines = new LinkedHashMap<>();
    lines.put("redis_version", REDIS_VERSION);
    lines.put("redis_mode", "standalone");
    lines.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    lines.put("arch_bits", 64);
    lines.put("process_id", ProcessHandle.current().pid());
    lines.put("uptime_in_seconds", seconds);
    lines.put("uptime_in_days", seconds / 86_400);
    lines.put("stadium_engine", store.engine().name());
    lines.put("stadium_engine_version", store.engine().version());
    lines.put("stadium_durability", store.durability().word());
    lines.put("stadium_raw", redis.databases().raw() ? 1 : 0);
    return lines;
  }

  private static Map<String, Object> memory() {
    long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    Map<String, Object> lines = new LinkedHashMap<>();
    lines.put("used_memory", used);
    lines.put("used_memory_human", "%.2fM".formatted(used / 1048576.0));
    lines.put("maxmemory", 0);
    lines.put("maxmemory_policy", "noeviction");
    return lines;
  }

  private Map<String, Object> stats() {
    Map<String, Object> lines = new LinkedHashMap<>();
    lines.put("total_connections_received", Client.connected());
    lines.put("total_commands_processed", redis.executed());
    lines.put("total_error_replies", redis.errors());
    lines.put("stadium_work_waiting", redis.rounds().waiting());
    return lines;
  }

  private Map<String, Object> keyspace() {
    Map<String, Object> lines = new LinkedHashMap<>();
    for (int i = 0; i < Databases.COUNT; i++) {
      Database database = redis.databases().present(i);
      if (database != null && database.count() > 0) {
        lines.put("db" + i, "keys=" + database.count());
      }
    }
    return lines;
  }
}
