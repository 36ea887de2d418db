package io.kvstadium.store.engine.declare;

import io.kvstadium.store.Capability;
import io.kvstadium.store.Durability;
import io.kvstadium.store.StoreUrl;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What an engine declares about itself. The conformance tests check that it is true.
 *
 * @param name the name used in URLs, in lower case
 * @param title the name as its makers write it
 * @param version the version of the storage engine itself as it was loaded, or of its Java binding
 *     if that is all there is; see {@link io.kvstadium.store.engine.help.LibraryVersion}
 * @param licence SPDX identifier
 * @param description one sentence
 * @param upstream one or two sentences: who maintains the storage engine, how actively, and the
 *     address of its home
 * @param onDisk whether a store is a directory of files, at least by default
 * @param capabilities everything that it can do, with any options
 * @param limits how large keys and values may be, with any options
 * @param durability what it does for each level that may be asked for; a level that is missing is
 *     refused
 * @param options the options that it understands in URLs, in addition to those that the library
 *     handles itself
 * @param notes traps and facts that its users should know, one sentence each
 * @param legacy whether it is measured and kept right, but not promised for the future, because
 *     nobody develops it any more
 */
public record EngineInfo(
    String name,
    String title,
    String version,
    String licence,
    String description,
    String upstream,
    boolean onDisk,
    Set<Capability> capabilities,
    Limits limits,
    Map<Durability, DurabilityMapping> durability,
    List<OptionSpec> options,
    List<String> notes,
    boolean legacy) {

  private static final String CHECKS = "check_pages";

  public EngineInfo {
    capabilities = Capability.all(capabilities);
    Map<Durability, DurabilityMapping> levels = new EnumMap<>(Durability.class);
    levels.putAll(durability);
    durability = Collections.unmodifiableMap(levels);
    options = List.copyOf(options);
    notes = List.copyOf(notes);
  }

  /**
   * How to open a store whose files may be damaged: an engine whose library trusts them, and would
   * end the process, has an option {@code check_pages}, which is added unless the URL has it.
   */
  public StoreUrl careful(StoreUrl url) {
    return withDefault(url, CHECKS, "true");
  }

  /** The URL with an option, if the engine has that option and the URL does not give it. */
  public StoreUrl withDefault(StoreUrl url, String option, String value) {
    boolean has = options.stream().anyMatch(each -> each.name().equals(option));
    return has && !url.options().containsKey(option) ? url.with(option, value) : url;
  }

  /** Its name and version; the components say the rest. */
  @Override
  public String toString() {
    return name + " " + version;
  }
}
