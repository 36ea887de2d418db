package io.kvstadium.store;

/** to come */
public record TypedRange<K>(K from) {}
