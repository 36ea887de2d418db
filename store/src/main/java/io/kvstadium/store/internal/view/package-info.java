/**
 * What applications hold: tables, cursors, batches, transactions and snapshots of an open store.
 */
@NullMarked
package io.kvstadium.store.internal.view;

import org.jspecify.annotations.NullMarked;
