package io.kvstadium.engine.memory;

/** The persistent half of the kit passes an engine without a fault; see {@link JudgeTest}. */
class SoundConformanceTest extends FaultyConformance {}
