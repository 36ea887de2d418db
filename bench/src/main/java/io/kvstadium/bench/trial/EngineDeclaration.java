package io.kvstadium.bench.trial;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker of another language declares about an engine that it can use.
 *
 * @param name that of the storage engine, as in Java: {@code rocksdb}, whatever its binding
 * @param title as its makers write it
 * @param version of the engine and of the binding, as far as they are known
 * @param licence SPDX identifier
 * @param description one sentence
 * @param capabilities words as {@link io.kvstadium.store.Capability#word} has them
 * @param access the ways to use it: {@code single}, perhaps {@code raw}
 * @param durability the levels that it has settings for
 * @param options that it understands, besides {@code read_only}
 * @param unavailable why it cannot be used here, and what to do about it, or {@code null}
 */
public record EngineDeclaration(
    String name,
    String title,
    String version,
    String licence,
    String description,
    List<String> capabilities,
    List<String> access,
    List<Level> durability,
    List<Option> options,
    @Nullable String unavailable) {

  /**
   * A level and how the binding provides it.
   *
   * @param evidence the address where it is promised, or {@code null}
   */
  public record Level(String level, String settings, @Nullable String evidence) {}

  /**
   * An option in URLs.
   *
   * @param choices the words that it accepts; empty for any text
   */
  public record Option(String name, List<String> choices, String description) {}
}
