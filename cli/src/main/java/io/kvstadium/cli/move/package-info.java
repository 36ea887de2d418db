/**
 * The commands that move stores: {@code copy}, {@code import}, {@code export} and {@code backup}.
 */
@NullMarked
package io.kvstadium.cli.move;

import org.jspecify.annotations.NullMarked;
