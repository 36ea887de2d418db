/** The engines that are installed, and how the commands open stores of them. */
@NullMarked
package io.kvstadium.cli.engines;

import org.jspecify.annotations.NullMarked;
