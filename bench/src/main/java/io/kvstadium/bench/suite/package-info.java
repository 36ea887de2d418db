/**
 * What is to be measured: suites, read from TOML files, of experiments, each a workload on several
 * configurations. Immutable data; safe for all threads.
 */
@NullMarked
package io.kvstadium.bench.suite;

import org.jspecify.annotations.NullMarked;
