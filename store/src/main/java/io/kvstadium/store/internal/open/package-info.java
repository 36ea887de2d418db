/** From a URL to an open store, and what is in its directory beside the engine's files. */
@NullMarked
package io.kvstadium.store.internal.open;

import org.jspecify.annotations.NullMarked;
