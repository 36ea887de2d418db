package io.kvstadium.engine.speedb;

import io.kvstadium.engine.rocksjava.RocksJavaEngine;
import java.util.List;
import java.util.Map;

/** Speedb, through its makers' Java binding. */
public final class SpeedbEngine extends RocksJavaEngine {
  /** Made by {@link java.util.ServiceLoader}. */
  public SpeedbEngine() {
    super(
        info(
                "speedb",
                "Speedb",
                "2.8.0",
                "Apache-2.0 OR GPL-2.0-only",
                "Fork of RocksDB 8, made for fast writes on large data.",
                "Abandoned: no release since 2024, after its makers were bought by Redis"
                    + " (https://github.com/speedb-io/speedb).",
                false,
                List.of(
                    "There are no transactions and no mode=secondary: both are offered with rocksdb only.",
                    "RocksDB opens what Speedb wrote; Speedb refuses what a current RocksDB wrote, and"
                        + " its own store once RocksDB has added a file to it.",
                    "Use it to compare; for new data use rocksdb, which is maintained."))
            .asLegacy());
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
