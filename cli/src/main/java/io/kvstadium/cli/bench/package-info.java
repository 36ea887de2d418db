/** {@code bench}, {@code report} and {@code compare}. */
@NullMarked
package io.kvstadium.cli.bench;

import org.jspecify.annotations.NullMarked;
