package io.kvstadium.conformance;

/** What the interfaces with the tests need from the class that runs them. */
interface Staged {
  /** The current test's own stage. */
  Stage stage();
}
