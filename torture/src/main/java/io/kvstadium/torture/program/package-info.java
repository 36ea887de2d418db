/**
 * Faults for any program: whether what it has acknowledged is still there afterwards. {@link
 * io.kvstadium.torture.program.ProgramTorture} runs rounds; docs/torture-program.md is the contract
 * of the program and its check.
 */
@NullMarked
package io.kvstadium.torture.program;

import org.jspecify.annotations.NullMarked;
