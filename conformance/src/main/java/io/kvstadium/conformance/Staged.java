package io.kvstadium.conformance;

/** What the interfaces that hold the tests need of the class that runs them. */
interface Staged {
  /** The present test's own stage. */
  Stage stage();
}
