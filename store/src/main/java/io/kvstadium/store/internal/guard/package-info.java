/** What stands between a call and the engine: nothing is called during or after the close. */
@NullMarked
package io.kvstadium.store.internal.guard;

import org.jspecify.annotations.NullMarked;
