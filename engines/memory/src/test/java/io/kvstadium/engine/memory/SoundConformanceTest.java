package io.kvstadium.engine.memory;

import org.junit.jupiter.api.Tag;

/**
 * The persistent half of the conformance tests passes an engine without a fault; see {@link
 * JudgeTest}.
 */
@Tag("full")
class SoundConformanceTest extends FaultyConformance {}
