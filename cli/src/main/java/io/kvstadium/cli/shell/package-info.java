/** {@code shell}: the commands on entries, line by line. */
@NullMarked
package io.kvstadium.cli.shell;

import org.jspecify.annotations.NullMarked;
