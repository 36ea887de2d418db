package io.kvstadium.store.internal.open;

import io.kvstadium.store.BadArgumentException;
import io.kvstadium.store.engine.Engine;
import java.util.Set;
import java.util.function.Function;

/**
 * The engines there are.
 *
 * @param names in order
 * @param byName throws a {@link BadArgumentException} if there is none, or it cannot be loaded
 */
public record EngineFinder(Set<String> names, Function<String, Engine> byName) {
  Engine engine(String name) {
    return byName.apply(name);
  }
}
