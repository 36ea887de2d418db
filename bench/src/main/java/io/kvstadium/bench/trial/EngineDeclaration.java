package io.kvstadium.bench.trial;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a player of another language declares about an engine that it can use.
 *
 * @param name that of the storage engine, as in Java: {@code rocksdb}, whatever its binding
 * @param title as its makers write it
 * @param version of the engine, as far as it is known
 * @param binding that the player uses, with its version, if it is not the engine itself
 * @param licence SPDX identifier
 * @param home address of its home
 * @param capabilities words as {@link io.kvstadium.store.Capability#word} has them
 * @param access the ways to use it: {@code single}, perhaps {@code raw}
 * @param durability the levels that it has settings for, with these settings
 * @param options that it understands, besides {@code read_only}, with their choices; none for any
 *     text
 * @param tries values of options that {@code advise} tries instead of the default
 * @param legacy whether nobody develops it any more: it takes part only if named
 * @param unavailable why it cannot be used here, and what to do about it, or {@code null}
 * @param withdrawn levels that it has settings for, but is not to be used at, as {@link #without}
 *     has it; a player leaves it out
 */
public record EngineDeclaration(
    String name,
    String title,
    String version,
    @Nullable String binding,
    @Nullable String licence,
    @Nullable String home,
    List<String> capabilities,
    List<String> access,
    Map<String, String> durability,
    Map<String, List<String>> options,
    @Nullable Map<String, List<String>> tries,
    boolean legacy,
    @Nullable String unavailable,
    @Nullable Set<String> withdrawn) {
  public EngineDeclaration {
    if (name == null || version == null || durability == null || capabilities == null) {
      throw new IllegalArgumentException(
          "engine " + name + " needs a name, a version, durability and capabilities");
    } else if (durability.isEmpty() && unavailable == null) {
      throw new IllegalArgumentException("engine " + name + " has no level of durability");
    }
    title = title == null ? name : title;
    access = access == null ? List.of("single") : List.copyOf(access);
    options = options == null ? Map.of() : Map.copyOf(options);
    withdrawn = withdrawn == null ? Set.of() : Set.copyOf(withdrawn);
  }

  /** The same without some of its levels. */
  public EngineDeclaration without(Set<String> levels) {
    Map<String, String> left = new TreeMap<>(durability);
    left.keySet().removeAll(levels);
    return new EngineDeclaration(
        name,
        title,
        version,
        binding,
        licence,
        home,
        capabilities,
        access,
        left,
        options,
        tries,
        legacy,
        unavailable,
        levels);
  }
}
