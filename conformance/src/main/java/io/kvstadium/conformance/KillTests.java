package io.kvstadium.conformance;

/** Kills. */
interface KillTests extends Staged {}
