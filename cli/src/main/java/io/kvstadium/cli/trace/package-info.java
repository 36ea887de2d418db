/** {@code stadium trace}: files of the operations of an application. */
@NullMarked
package io.kvstadium.cli.trace;

import org.jspecify.annotations.NullMarked;
