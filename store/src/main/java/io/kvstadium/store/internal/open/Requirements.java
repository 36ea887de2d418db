package io.kvstadium.store.internal.open;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.Capability;
import io.kvstadium.store.OpenOptions;
import io.kvstadium.store.UnsupportedException;
import io.kvstadium.store.engine.Engine;
import io.kvstadium.store.engine.declare.EngineInfo;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Refuses what an engine or a store cannot do, and names the engines that can. */
final class Requirements {
  private final EngineFinder engines;

  Requirements(EngineFinder engines) {
    this.engines = engines;
  }

  /** Refuses an opening that the engine cannot give, judging by what it declares. */
  void check(String url, EngineInfo info, OpenOptions options, boolean adopt) {
    if (adopt) {
      require(info, Capability.ADOPT);
      if (options.errorIfExists()) {
        throw new BadArgumentException(
            url + ": adopt=true opens what is there: errorIfExists cannot be combined with it");
      }
      if (!options.readOnly()) {
        throw new BadArgumentException(
            url
                + ": what another program wrote is only read here: leave read_only=false out, and copy"
                + " it to a store of its own to write");
      }
    } else if (options.readOnly()) {
      require(info, Capability.READ_ONLY);
    }
    require(url, info, info.capabilities(), options.required());
  }

  private void require(EngineInfo info, Capability capability) {
    if (!info.capabilities().contains(capability)) {
      throw unsupported(info, capability);
    }
  }

  /**
   * Refuses what lacks something that the caller requires.
   *
   * @param present what the engine or the open store has
   */
  void require(String url, EngineInfo info, Set<Capability> present, Set<Capability> required) {
    Set<Capability> missing = EnumSet.noneOf(Capability.class);
    missing.addAll(required);
    missing.removeAll(present);
    if (missing.isEmpty()) {
      return;
    }
    String what =
        missing.stream()
            .map(capability -> capability.description() + " (" + capability.word() + ")")
            .collect(Collectors.joining(", "));
    throw new UnsupportedException(
        info.capabilities().containsAll(missing)
            ? "%s: the caller requires %s, which engine %s has with other options: see its list of options"
                .formatted(url, what, info.name())
            : "%s: the caller requires what engine %s does not have: %s; engines with all that is required: %s"
                .formatted(url, info.name(), what, having(required)));
  }

  /** Says that a store of this engine lacks a capability. */
  UnsupportedException unsupported(EngineInfo info, Capability capability) {
    if (info.capabilities().contains(capability)) {
      return new UnsupportedException(
          "this store was opened without %s, which engine %s has with other options: see its list of options"
              .formatted(capability.description(), info.name()));
    }
    boolean loadsOnly =
        capability == Capability.WRITE && info.capabilities().contains(Capability.BULK_LOAD);
    return new UnsupportedException(
        "engine %s has no %s (%s)%s; available with: %s"
            .formatted(
                info.name(),
                capability.description(),
                capability.word(),
                loadsOnly
                    ? ": its entries come by bulkLoad() only, which adds to and replaces those that are there"
                    : "",
                having(Set.of(capability))));
  }

  /** The names of the engines that have all of these, for messages. */
  String having(Set<Capability> capabilities) {
    String names =
        loadable().stream()
            .map(Engine::info)
            .filter(info -> info.capabilities().containsAll(capabilities))
            .map(EngineInfo::name)
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "no installed engine" : names;
  }

  /** The engines that can be loaded: messages must not fail because of another engine. */
  List<Engine> loadable() {
    List<Engine> loadable = new ArrayList<>();
    for (String name : engines.names()) {
      try {
        loadable.add(engines.engine(name));
      } catch (BadArgumentException e) {
        // reported when that engine is asked for
      }
    }
    return loadable;
  }
}
