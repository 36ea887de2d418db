package io.kvstadium.engine.halodb;

import io.kvstadium.store.StadiumException;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.EngineStore;
import io.kvstadium.store.engine.StoreConfig;
import io.kvstadium.store.engine.declare.Declarations;
import io.kvstadium.store.engine.declare.EngineInfo;
import io.kvstadium.store.engine.declare.Failure;
import io.kvstadium.store.engine.declare.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** HaloDB, if the user has put its jar beside this engine. */
public final class HaloDbEngine implements Engine {
  static final EngineInfo INFO = Declarations.info(HaloDbEngine.class::getResourceAsStream);

  private static final Pattern DATA = Pattern.compile("\\d+\\.(datac?|index|tombstone)");

  /** A limit of its format: the length is one signed byte. */
  private static final int MAX_KEY_BYTES = 127;

  /** For {@link java.util.ServiceLoader}. */
  public HaloDbEngine() {}

  @Override
  public EngineInfo info() {
    return INFO;
  }

  @Override
  public @Nullable String unavailable() {
    String missing = HaloDbApi.missing();
    return missing == null
        ? null
        : missing
            + ": build halodb-0.5.6.jar from https://github.com/yahoo/HaloDB at tag v0.5.6 and put it"
            + " into a folder halodb in your folder of engines, or on the class path beside"
            + " kv-stadium-engine-halodb with guava, jna and slf4j-api, and run Java with"
            + " --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED";
  }

  @Override
  public boolean exists(StoreConfig config) throws IOException {
    Path directory = config.directory();
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.anyMatch(file -> isData(file) || file.getFileName().toString().equals("META"));
    }
  }

  @Override
  public EngineStore<?> open(StoreConfig config) throws Exception {
    String problem = unavailable();
    if (problem != null) {
      throw new StadiumException(
          "engine halodb: " + config.directory() + " cannot be opened: " + problem);
    }
    return new HaloDbStore(config);
  }

  @Override
  public @Nullable Failure classify(StoreConfig config, Throwable thrown) {
    return Failures.ofOpening(thrown);
  }

  static boolean isData(Path file) {
    return DATA.matcher(file.getFileName().toString()).matches();
  }

  /** HaloDB's setters by name, with their arguments. */
  static Map<String, Object> settings(StoreConfig config, boolean synced) {
    Options options = config.options();
    Map<String, Object> settings = new TreeMap<>();
    settings.put("setMaxFileSize", (int) options.size("max_file_size"));
    settings.put("setNumberOfRecords", (int) options.integer("number_of_records"));
    settings.put("setCompactionThresholdPerFile", options.decimal("compaction_threshold"));
    settings.put("setCompactionJobRate", (int) options.size("compaction_job_rate"));
    settings.put("setBuildIndexThreads", (int) options.integer("build_index_threads"));
    if (options.has("flush_data_size")) {
      settings.put("setFlushDataSizeBytes", options.size("flush_data_size"));
    }
    settings.put("setUseMemoryPool", options.bool("memory_pool"));
    if (options.has("memory_pool_chunk_size")) {
      settings.put("setMemoryPoolChunkSize", (int) options.size("memory_pool_chunk_size"));
    }
    if (options.has("fixed_key_size")) {
      settings.put("setFixedKeySize", maxKeyBytes(options));
    }
    settings.put("enableSyncWrites", synced);
    settings.put("setCleanUpInMemoryIndexOnClose", true); // otherwise each close leaks all of it
    return settings;
  }

  /** The longest key of a store with these options. */
  static int maxKeyBytes(Options options) {
    return options.bool("memory_pool") && options.has("fixed_key_size")
        ? (int) options.integer("fixed_key_size")
        : MAX_KEY_BYTES;
  }
}
