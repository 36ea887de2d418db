/**
 * Backups of stores: {@link io.kvstadium.backup.Backups}. A directory has any number of backups of
 * one store, and stores once what they share. {@link io.kvstadium.backup.Verification} reads a
 * store for damage.
 */
@NullMarked
package io.kvstadium.backup;

import org.jspecify.annotations.NullMarked;
