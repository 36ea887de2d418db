package io.kvstadium.store;

/**
 * What an engine does when a level is asked for.
 *
 * @param effective the level that it then gives: the same or a stronger one; {@link
 *     Durability#ENGINE_DEFAULT} only for itself
 * @param settings the engine's own settings that give it, in its words
 */
public record DurabilityMapping(Durability effective, String settings) {}
