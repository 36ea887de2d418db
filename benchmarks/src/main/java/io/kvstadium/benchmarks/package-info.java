/** Benchmarks of the library itself, with JMH; see benchmarks/README.md. */
@NullMarked
package io.kvstadium.benchmarks;

import org.jspecify.annotations.NullMarked;
