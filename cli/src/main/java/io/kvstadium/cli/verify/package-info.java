/** The commands that examine: engines, stores and this machine. */
@NullMarked
package io.kvstadium.cli.verify;

import org.jspecify.annotations.NullMarked;
