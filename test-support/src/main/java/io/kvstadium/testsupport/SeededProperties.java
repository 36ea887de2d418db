package io.kvstadium.testsupport;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyAttributes;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/** Gives jqwik's properties the seed and the number of tries of {@link Randomness}. */
public final class SeededProperties implements AroundPropertyHook {
  private static final int JQWIK_TRIES = 1000;

  /** For jqwik. */
  public SeededProperties() {}

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    PropertyAttributes attributes = context.attributes();
    attributes.setTries(Randomness.times(attributes.tries().orElse(JQWIK_TRIES)));
    if (attributes.seed().isEmpty()) {
      String name = context.containerClass().getName() + '#' + context.targetMethod().getName();
      attributes.setSeed(Long.toString(Randomness.seed(name)));
    }
    return property.execute();
  }
}
