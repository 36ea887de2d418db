package io.kvstadium.store.spi;

import org.jspecify.annotations.Nullable;

/**
 * One write of a batch.
 *
 * @param table where
 * @param key which entry
 * @param value what to put, or {@code null} to delete the entry
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier between two methods, never compared
public record Write<T extends EngineTable>(T table, byte[] key, byte @Nullable [] value) {}
