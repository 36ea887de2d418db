/**
 * The operations that a phase can be made of: one class each. How to add one is in {@code
 * docs/internals/new-phase.md}.
 */
@NullMarked
package io.kvstadium.bench.measure.operation;

import org.jspecify.annotations.NullMarked;
