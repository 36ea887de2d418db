/** Crash tests of what this project promises itself, beyond the engines. */
@NullMarked
package io.kvstadium.testing.promises;

import org.jspecify.annotations.NullMarked;
