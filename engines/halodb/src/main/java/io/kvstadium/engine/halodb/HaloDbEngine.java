package io.kvstadium.engine.halodb;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.DurabilityMapping;
import io.kvstadium.store.EngineInfo;
import io.kvstadium.store.Evidence;
import io.kvstadium.store.Limits;
import io.kvstadium.store.OptionSpec;
import io.kvstadium.store.OptionSpec.Scope;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.spi.Engine;
import io.kvstadium.store.spi.EngineStore;
import io.kvstadium.store.spi.Failure;
import io.kvstadium.store.spi.Options;
import io.kvstadium.store.spi.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** HaloDB, if the user has put its jar beside this engine. */
public final class HaloDbEngine implements Engine {
  private static final Pattern DATA = Pattern.compile("\\d+\\.(datac?|index|tombstone)");

  private static final Set<Capability> CAPABILITIES =
      EnumSet.of(
          Capability.PERSISTENT,
          Capability.WRITE,
          Capability.SCAN,
          Capability.ESTIMATED_COUNT,
          Capability.ADOPT);

  /** A limit of its format: the length is one signed byte. */
  private static final int MAX_KEY_BYTES = 127;

  private static final int MAX_VALUE_BYTES = (1 << 30) - 1024;

  static final String SALVAGE = "salvage";

  static final Limits LIMITS = new Limits(MAX_KEY_BYTES, MAX_VALUE_BYTES);

  private static final String UNSYNCED =
      "enableSyncWrites(false): each write is with the system when it returns, and no more";

  private static final Evidence CODE = Evidence.argued("docs/durability.md");

  private static final List<OptionSpec> OPTIONS =
      List.of(
          OptionSpec.size(
              "max_file_size",
              Scope.STORE,
              "1g",
              "1",
              "1g",
              "bytes of a data file, fixed at creation"),
          OptionSpec.integer(
              "number_of_records",
              Scope.STORE,
              "1000000",
              1,
              1_073_741_824,
              "entries for which the index has places: HaloDB asks for twice the expected number,"
                  + " otherwise it rehashes all of them as they arrive"),
          OptionSpec.bool(
              "memory_pool",
              Scope.STORE,
              "false",
              "whether the index is in chunks with room for keys of fixed_key_size, rather than"
                  + " each key in its own memory"),
          OptionSpec.size(
              "memory_pool_chunk_size",
              Scope.STORE,
              "",
              "1",
              "1g",
              "bytes of such a chunk; HaloDB's 16m"),
          OptionSpec.integer(
              "fixed_key_size",
              Scope.STORE,
              "",
              1,
              127,
              "with memory_pool: the longest key; each key takes that much room; 127"),
          OptionSpec.size(
              "flush_data_size",
              Scope.STORE,
              "",
              "1",
              "1t",
              "bytes after which unflushed writes are flushed; by default never"),
          OptionSpec.decimal(
              "compaction_threshold",
              Scope.STORE,
              "0.75",
              "0",
              "1",
              "outdated part of a file at which it is compacted"),
          OptionSpec.size(
              "compaction_job_rate",
              Scope.STORE,
              "1g",
              "1",
              "1g",
              "bytes that compaction copies per second at most"),
          OptionSpec.integer(
              "build_index_threads",
              Scope.STORE,
              "1",
              1,
              1_024,
              "threads that read the keys at open"),
          OptionSpec.bool(
              SALVAGE,
              Scope.STORE,
              "false",
              "with adopt=true: opens damaged files, without what is damaged"));

  private static final EngineInfo INFO =
      new EngineInfo(
              "halodb",
              "HaloDB",
              "0.5.6",
              "Apache-2.0",
              "Append-only files with an index of all keys in memory outside the heap.",
              "Written at Yahoo; its last release is from 2021, and later changes do not touch its code"
                  + " (https://github.com/yahoo/HaloDB).",
              true,
              CAPABILITIES,
              LIMITS,
              DurabilityMapping.levels(
                  DurabilityMapping.none(UNSYNCED),
                  DurabilityMapping.process(UNSYNCED + "; values of length 0 are refused", CODE),
                  DurabilityMapping.power(
                      "enableSyncWrites(true): each write is flushed; values of length 0 are refused",
                      CODE),
                  DurabilityMapping.none(UNSYNCED).byDefault()),
              OPTIONS,
              List.of(
                  "Its jar is in no public registry: build it from its sources (mvn package at tag v0.5.6)"
                      + " and put it into a folder halodb in your folder of engines.",
                  "It needs sun.misc.Unsafe (--sun-misc-unsafe-memory-access=allow) and JNA"
                      + " (--enable-native-access=ALL-UNNAMED), and no --add-opens.",
                  "After an abnormal end it copies its latest files, and an open takes long: 0.54 s became"
                      + " 6.7 s for 1,000,000 entries of 100 bytes.",
                  "That repair takes a value of length 0 for damage and drops all that follows it in the"
                      + " file; such values are refused except at durability none. Users have reported"
                      + " corruption after abnormal ends.",
                  "Puts and deletes go to different files, so without a flush for each of them a power cut"
                      + " may keep a later one and lose an earlier one: process is given as power.",
                  "A thread that is interrupted while it reads or writes closes the file for all: entries"
                      + " in it cannot be read until the store is opened again.",
                  "A scan misses entries that are overwritten while it runs, and ends early without an"
                      + " error if a file cannot be read; compaction pauses meanwhile.",
                  "Every key is held in memory outside the heap. HaloDB's own benchmarks give it"
                      + " number_of_records of twice the entries and a memory pool for keys of one"
                      + " size: memory_pool=true with fixed_key_size, which is then the longest key.",
                  "Adopted (adopt=true): HaloDB's files, of 0.4 to 0.5.6 and of forks with layout 1,"
                      + " are read without its jar, and never written. Every record is read once at the"
                      + " open, and its checksum is verified: damage is refused with its place, unless"
                      + " salvage=true. A torn end of the newest file of its kind, as an abnormal end"
                      + " leaves it, is accepted; stats report both. The index takes 16 to 32 bytes of"
                      + " heap per key. Scans are in the order of the files.",
                  "max_file_size cannot be changed later; HaloDB's own default is 1m, which makes many"
                      + " files."))
          .asLegacy();

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

  /** An adopted store works without the jar. */
  @Override
  public @Nullable String unavailable(StoreConfig config) {
    return config.adopt() ? null : unavailable();
  }

  @Override
  public void check(StoreConfig config) {
    if (config.options().bool(SALVAGE) && !config.adopt()) {
      throw new BadArgumentException(
          "halodb:" + config.location() + ": salvage=true goes with adopt=true only");
    }
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
    if (config.adopt()) {
      return new AdoptedStore(config);
    }
    String problem = unavailable();
    if (problem != null) {
      throw new StadiumException(
          "engine halodb: " + config.directory() + " cannot be opened: " + problem);
    }
    return new HaloDbStore(config, CAPABILITIES);
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
