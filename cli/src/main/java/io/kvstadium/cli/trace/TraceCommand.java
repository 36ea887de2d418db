package io.kvstadium.cli.trace;

import io.kvstadium.cli.io.FirstSentences;
import picocli.CommandLine.Command;

/** {@code stadium trace}: the group of its subcommands. */
@Command(
    name = "trace",
    description = FirstSentences.TRACE,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {TraceStatCommand.class, TraceImportCommand.class, TraceFitCommand.class})
public final class TraceCommand {}
