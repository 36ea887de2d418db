/** The conformance tests that each engine must pass. */
module io.kvstadium.conformance {
  requires java.logging;
  requires java.management;
  requires transitive io.kvstadium.store;
  requires transitive org.junit.jupiter.api;
  requires transitive org.junit.jupiter.params;
  requires org.assertj.core;
  requires org.junit.platform.launcher;

  exports io.kvstadium.conformance;

  opens io.kvstadium.conformance; // JUnit and jqwik call its tests by reflection
}
