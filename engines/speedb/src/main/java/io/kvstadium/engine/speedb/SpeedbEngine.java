package io.kvstadium.engine.speedb;

import io.kvstadium.engine.rocksjava.RocksJavaEngine;
import java.util.Map;

/** Speedb, through its makers' Java binding. */
public final class SpeedbEngine extends RocksJavaEngine {
  /** Made by {@link java.util.ServiceLoader}. */
  public SpeedbEngine() {
    super(SpeedbEngine.class::getResourceAsStream, "speedbjni");
  }

  @Override
  protected Map<String, String> defaults() {
    return Map.of("memtable_max_range_deletions", "1024");
  }

  @Override
  protected String platforms() {
    return "Linux with glibc (x86-64, AArch64), macOS and 64-bit Windows";
  }
}
