package io.kvstadium.cli.trace;

import picocli.CommandLine.Command;

/** {@code stadium trace}: the group of its subcommands. */
@Command(
    name = "trace",
    description = "Looks at recordings of applications, and imports those of others.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {TraceStatCommand.class, TraceImportCommand.class, TraceFitCommand.class})
public final class TraceCommand {}
