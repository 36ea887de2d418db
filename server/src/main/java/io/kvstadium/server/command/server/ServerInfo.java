package io.kvstadium.server.command.server;

import io.kvstadium.server.client.Client;
import io.kvstadium.server.client.Clients.Connected;
import io.kvstadium.server.command.ServerContext;
import io.kvstadium.server.execute.HotEntries;
import io.kvstadium.server.figures.Statistics;
import io.kvstadium.server.figures.StoreSize;
import io.kvstadium.server.notify.Channels;
import io.kvstadium.server.scripts.Scripts;
import io.kvstadium.store.Move;
import io.kvstadium.store.Store;
import io.kvstadium.store.StoreStatus;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The reply to INFO: sections of names and values, those of Redis where they mean something here.
 * What is not known is left out.
 */
public final class ServerInfo {
  /** The version whose commands are answered: clients choose what they send by it. */
  public static final String REDIS_VERSION = "7.0.15";

  private static final Set<String> OF_COMMANDS = Set.of("Commandstats", "Latencystats");

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path STAT = Path.of("/proc/self/stat");
  private static final int USER_TIME = 11;

  /** The unit in which Linux counts, on every platform that Java runs on. */
  private static final double TICKS_PER_SECOND = 100;

  private final ServerContext server;
  private final Scripts scripts;
  private final StoreSize storeSize;

  /**
   * Information.
   *
   * @param storeSize the bytes of the store on disk
   */
  public ServerInfo(ServerContext server, Scripts scripts, StoreSize storeSize) {
    this.server = server;
    this.scripts = scripts;
    this.storeSize = storeSize;
  }

  /**
   * The text of the reply.
   *
   * @param wanted names of sections in lower case; empty for all but those of commands
   */
  String text(Set<String> wanted) {
    boolean all =
        wanted.isEmpty()
            || wanted.stream().anyMatch(Set.of("all", "everything", "default")::contains);
    boolean every = wanted.contains("all") || wanted.contains("everything");
    return sections().entrySet().stream()
        .filter(each ->
            wanted.contains(each.getKey().toLowerCase(Locale.ROOT))
                || (OF_COMMANDS.contains(each.getKey()) ? every : all))
        .map(each ->
            each.getValue().get().entrySet().stream()
                .map(line -> line.getKey() + ":" + line.getValue() + "\r\n")
                .collect(Collectors.joining("", "# " + each.getKey() + "\r\n", "")))
        .collect(Collectors.joining("\r\n"));
  }

  private Map<String, Supplier<Map<String, Object>>> sections() {
    Map<String, Supplier<Map<String, Object>>> sections = new LinkedHashMap<>();
    sections.put("Server", this::server);
    sections.put("Clients", this::clients);
    sections.put("Memory", this::memory);
    sections.put("Persistence", this::persistence);
    sections.put("Stats", this::stats);
    sections.put("Replication", ServerInfo::replication);
    sections.put("CPU", ServerInfo::processor);
    sections.put("Commandstats", () -> server.counts().lines());
    sections.put(
        "Latencystats",
        () ->
            server
                .counts()
                .percentiles(server.parameters().get("latency-tracking-info-percentiles")));
    sections.put("Errorstats", this::errors);
    sections.put("Cluster", () -> Map.of("cluster_enabled", 0));
    sections.put("Keyspace", this::keyspace);
    return sections;
  }

  private Map<String, Object> server() {
    long seconds = (server.clock().millis() - server.statistics().started()) / 1_000;
    Store store = server.store();
    Map<String, Object> lines = new LinkedHashMap<>();
    lines.put("redis_version", REDIS_VERSION);
    lines.put("redis_mode", "standalone");
    lines.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    lines.put("arch_bits", 64);
    lines.put("process_id", ProcessHandle.current().pid());
    lines.put("run_id", server.statistics().run());
    lines.put("tcp_port", server.parameters().get("port"));
    lines.put("server_time_usec", server.clock().millis() * 1_000);
    lines.put("uptime_in_seconds", seconds);
    lines.put("uptime_in_days", seconds / 86_400);
    lines.put("stadium_engine", store.engine().name());
    lines.put("stadium_engine_version", store.engine().version());
    lines.put("stadium_durability", store.durability().word());
    lines.put("stadium_raw", server.databases().raw() ? 1 : 0);
    return lines;
  }

  private Map<String, Object> clients() {
    List<Client> all = server.clients().all().stream().map(Connected::client).toList();
    Map<String, Object> lines = new LinkedHashMap<>();
    lines.put("connected_clients", all.size());
    lines.put("maxclients", server.parameters().get("maxclients"));
    lines.put(
        "client_recent_max_input_buffer",
        all.stream().mapToLong(each -> each.buffers().input()).max().orElse(0));
    lines.put(
        "client_recent_max_output_buffer",
        all.stream().mapToLong(each -> each.buffers().output()).max().orElse(0));
    lines.put("blocked_clients", all.stream().filter(each -> each.waits() || each.paused).count());
    lines.put("tracking_clients", server.listeners().tracking().clients());
    return lines;
  }

  private Map<String, Object> memory() {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    Map<String, Object> lines = new LinkedHashMap<>();
    long used = server.sizeLimit().max() == 0 ? heap.getUsed() : server.databases().bytes();
    lines.put("used_memory", used); // tools compare it with maxmemory
    lines.put("used_memory_human", megabytes(used));
    memory("VmRSS:").ifPresent(bytes -> lines.put("used_memory_rss", bytes));
    memory("VmHWM:").ifPresent(bytes -> lines.put("used_memory_peak", bytes));
    StoreStatus.Memory store = server.store().status().memory();
    if (store != null && !store.parts().isEmpty()) {
      lines.put("stadium_memory_store", store.used());
    }
    if (store != null && store.budget() > 0) {
      lines.put("stadium_memory_store_budget", store.budget());
    }
    lines.put("stadium_memory_clients_budget", server.clients().budget().max());
    lines.put("used_memory_scripts", scripts.bytes());
    lines.put("number_of_cached_scripts", scripts.count());
    lines.put("mem_clients_normal", server.clients().budget().used());
    lines.put("maxmemory", Long.toUnsignedString(server.sizeLimit().max()));
    lines.put("maxmemory_human", megabytes(server.sizeLimit().max()));
    lines.put("maxmemory_policy", server.parameters().get("maxmemory-policy"));
    lines.put("mem_not_counted_for_evict", 0);
    lines.put("lazyfree_pending_objects", 0); // what is removed can no longer be read
    return lines;
  }

  private static String megabytes(long bytes) {
    return "%.2fM".formatted(bytes / 1048576.0);
  }

  /** The memory of the process in bytes; not a number on a system that does not tell. */
  static double residentBytes() {
    OptionalLong bytes = memory("VmRSS:");
    return bytes.isPresent() ? bytes.getAsLong() : Double.NaN;
  }

  private static OptionalLong memory(String name) {
    return lines(STATUS).stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.split("\\s+")[1]) << 10)
        .findFirst();
  }

  /** The lines of a file; none on a system that lacks it. */
  private static List<String> lines(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      return List.of(); // a figure that is not available is left out
    }
  }

  private Map<String, Object> persistence() {
    Map<String, Object> lines = new LinkedHashMap<>();
    lines.put("loading", 0);
    lines.put("rdb_changes_since_last_save", server.saves().unsavedChanges());
    lines.put("rdb_bgsave_in_progress", 0);
    lines.put("rdb_last_save_time", server.saves().lastSaved() / 1_000);
    lines.put("rdb_last_bgsave_status", "ok");
    lines.put("aof_enabled", 0);
    lines.put("aof_rewrite_in_progress", 0);
    lines.put("stadium_store_bytes", storeSize.bytes());
    Move move = server.store().move();
    if (move != null) {
      Move.Status status = move.status();
      lines.put("stadium_move_to", status.to());
      lines.put("stadium_move_state", status.state().word());
      lines.put("stadium_move_pending", status.pending());
      lines.put("stadium_move_seconds_behind", Math.round(status.secondsBehind()));
      lines.put("stadium_move_problem", status.problem() == null ? 0 : 1);
    }
    return lines;
  }

  private Map<String, Object> stats() {
    Statistics statistics = server.statistics();
    Map<String, Object> lines = new LinkedHashMap<>();
    lines.put("total_connections_received", Client.connected());
    lines.put("total_commands_processed", server.statistics().executed());
    if (statistics.perSecond() >= 0) {
      lines.put("instantaneous_ops_per_sec", statistics.perSecond());
    }
    lines.put("total_net_input_bytes", statistics.received());
    lines.put("total_net_output_bytes", statistics.sent());
    lines.put("rejected_connections", statistics.rejected());
    lines.put("expired_keys", statistics.expired());
    lines.put("evicted_keys", statistics.evictions());
    lines.put("keyspace_hits", statistics.hits());
    lines.put("keyspace_misses", statistics.misses());
    Channels channels = server.listeners().channels();
    lines.put("pubsub_channels", channels.names(Channels.Kind.CHANNEL).size());
    lines.put("pubsub_patterns", channels.names(Channels.Kind.PATTERN).size());
    lines.put("pubsubshard_channels", channels.names(Channels.Kind.SHARD).size());
    lines.put("tracking_total_keys", server.listeners().tracking().keys());
    lines.put("tracking_total_items", server.listeners().tracking().items());
    lines.put("tracking_total_prefixes", server.listeners().tracking().prefixes());
    lines.put("total_error_replies", server.statistics().failed());
    lines.put("stadium_work_waiting", server.executor().waiting());
    HotEntries hot = server.executor().hot();
    if (hot != null) {
      lines.put("stadium_hot_entries_hits", hot.hits());
      lines.put("stadium_hot_entries_misses", hot.misses());
      lines.put("stadium_hot_entries_bytes", hot.bytes());
    }
    return lines;
  }

  private static Map<String, Object> replication() {
    Map<String, Object> lines = new LinkedHashMap<>();
    lines.put("role", "master");
    lines.put("connected_slaves", 0);
    lines.put("master_repl_offset", 0);
    return lines;
  }

  /** Processor times in seconds. */
  private static Map<String, Object> processor() {
    Map<String, Object> lines = new LinkedHashMap<>();
    for (String line : lines(STAT)) {
      // after the name, which may contain spaces
      String[] words = line.substring(line.lastIndexOf(')') + 2).split(" ");
      lines.put("used_cpu_sys", Long.parseLong(words[USER_TIME + 1]) / TICKS_PER_SECOND);
      lines.put("used_cpu_user", Long.parseLong(words[USER_TIME]) / TICKS_PER_SECOND);
    }
    return lines;
  }

  private Map<String, Object> errors() {
    Map<String, Object> lines = new TreeMap<>();
    server
        .statistics()
        .errors()
        .forEach((code, count) -> lines.put("errorstat_" + code, "count=" + count));
    return lines;
  }

  private Map<String, Object> keyspace() {
    Map<String, Object> lines = new LinkedHashMap<>();
    server
        .databases()
        .counters()
        .forEach((number, counters) ->
            lines.put(
                "db" + number,
                "keys=%d,expires=%d,avg_ttl=%d"
                    .formatted(
                        counters.keys(),
                        counters.expiring(),
                        counters.averageLeft(server.clock().millis()))));
    return lines;
  }
}
