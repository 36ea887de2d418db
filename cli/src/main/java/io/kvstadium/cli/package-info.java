/**
 * The {@code stadium} command: one class per subcommand, which only turns arguments into calls and
 * results into text. Everything runs on the main thread.
 */
@NullMarked
package io.kvstadium.cli;

import org.jspecify.annotations.NullMarked;
