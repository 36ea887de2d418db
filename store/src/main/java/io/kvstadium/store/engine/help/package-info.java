/** What adapters share: an engine takes what fits it, and needs none of it. */
@NullMarked
package io.kvstadium.store.engine.help;

import org.jspecify.annotations.NullMarked;
