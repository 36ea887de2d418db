package io.kvstadium.store;

/**
 * One key and its value. Arrays are not copied: they must not be changed until the call that took
 * the entry has returned.
 *
 * @param <K> the type of the key
 * @param <V> the type of the value
 */
public record Entry<K, V>(K key, V value) {}
