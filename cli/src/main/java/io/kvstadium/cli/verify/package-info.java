/** The commands that examine engines and stores. */
@NullMarked
package io.kvstadium.cli.verify;

import org.jspecify.annotations.NullMarked;
