/**
 * What to measure: suites of experiments, read from TOML files; each experiment is a workload on
 * several configurations. Immutable data; safe for all threads.
 */
@NullMarked
package io.kvstadium.bench.suite;

import org.jspecify.annotations.NullMarked;
