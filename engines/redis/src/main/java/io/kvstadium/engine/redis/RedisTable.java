package io.kvstadium.engine.redis;

import io.kvstadium.store.spi.EngineTable;

/** The only table. */
record RedisTable(String name) implements EngineTable {}
