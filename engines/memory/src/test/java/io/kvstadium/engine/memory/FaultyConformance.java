package io.kvstadium.engine.memory;

import io.kvstadium.conformance.EngineConformance;
import java.nio.file.Path;

/**
 * The conformance tests on the engine with the fault named by a system property; sound if none is.
 */
class FaultyConformance extends EngineConformance {
  static final String FAULT = "stadium.test.fault";

  @Override
  protected String url(Path directory) {
    return "faulty:" + directory + "?fault=" + System.getProperty(FAULT, Fault.NONE.word());
  }
}
