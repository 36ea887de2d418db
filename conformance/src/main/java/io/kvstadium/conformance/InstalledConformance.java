package io.kvstadium.conformance;

import java.nio.file.Path;

/** The conformance tests over the engine that system properties name; run by {@link Check}. */
final class InstalledConformance extends EngineConformance {
  /** The engine's name. */
  static final String ENGINE = "stadium.check.engine";

  /** Options of the URL, as after its question mark. */
  static final String OPTIONS = "stadium.check.options";

  /** {@code false} if the engine's notes forbid interrupts during calls. */
  static final String INTERRUPTS = "stadium.check.interrupts";

  @Override
  protected String url(Path directory) {
    String options = System.getProperty(OPTIONS, "");
    return System.getProperty(ENGINE) + ":" + directory + (options.isEmpty() ? "" : "?" + options);
  }

  @Override
  public boolean standsInterruptsDuringCalls() {
    return !"false".equals(System.getProperty(INTERRUPTS));
  }
}
