package io.kvstadium.cli.trace;

import picocli.CommandLine.Command;

/** {@code stadium trace}: the group of its subcommands. */
@Command(
    name = "trace",
    description =
        "Looks at recordings of what an application does with its store, and imports those of other"
            + " programs.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {TraceStatCommand.class, TraceImportCommand.class})
public final class TraceCommand {}
