package io.kvstadium.bench.result;

/**
 * Where a run took place.
 *
 * @param cpu the processor's model name
 * @param cores processors available to a trial
 * @param memoryBytes physical memory
 * @param system operating system and its version
 * @param java vendor and version of the virtual machine that the trials ran on
 * @param fileSystem type of the file system that held the stores
 * @param device the device of that file system, as far as it can be determined
 */
public record Machine(
    String cpu,
    int cores,
    long memoryBytes,
    String system,
    String java,
    String fileSystem,
    String device) {}
