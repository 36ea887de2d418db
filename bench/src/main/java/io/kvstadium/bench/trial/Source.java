package io.kvstadium.bench.trial;

import org.jspecify.annotations.Nullable;

/**
 * The user's own data.
 *
 * @param path of the file or directory
 * @param key the field or column that holds the key; {@code null} for directories
 */
public record Source(String path, @Nullable String key) {}
