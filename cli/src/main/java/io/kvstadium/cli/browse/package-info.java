/** {@code browse}: a page that shows what is in a store. */
@NullMarked
package io.kvstadium.cli.browse;

import org.jspecify.annotations.NullMarked;
