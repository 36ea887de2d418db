/** What a recorder of a store's calls implements; {@code kv-stadium-trace} is one. */
@NullMarked
package io.kvstadium.store.record;

import org.jspecify.annotations.NullMarked;
