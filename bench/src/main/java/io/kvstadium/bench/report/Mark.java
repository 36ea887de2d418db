package io.kvstadium.bench.report;

/**
 * Why a figure is to be taken with care.
 *
 * @param word a short one for the cell, such as {@code harness-limited}
 * @param explanation what it means there, as a sentence without a full stop
 */
public record Mark(String word, String explanation) {}
