package io.kvstadium.bench.run;

import io.kvstadium.store.BadArgumentException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where the clients of a trial run, if there are several.
 *
 * @param names of machines, assigned to the clients in turn; empty for this one
 * @param command for a shell, which starts {@code stadium client} on one of them, with {@value
 *     #HOST} where its name belongs
 * @param stadium the version that has to be there
 */
public record ClientHosts(List<String> names, String command, String stadium) {
  /** This machine. */
  public static final ClientHosts HERE = new ClientHosts(List.of(), "", "");

  /** The placeholder for a host's name in the command. */
  public static final String HOST = "{host}";

  /** Restricted, because a shell reads them. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.:@%-]*");

  public ClientHosts {
    names = List.copyOf(names);
    for (String name : names) {
      if (!NAME.matcher(name).matches()) {
        throw new BadArgumentException(
            "--clients-on '"
                + name
                + "': give names or addresses of hosts, as in user@host1,host2");
      }
    }
    if (!names.isEmpty() && !command.contains(HOST)) {
      throw new BadArgumentException(
          "--client-command '"
              + command
              + "' does not contain "
              + HOST
              + ", where the host's name belongs: as in 'ssh {host} stadium client'");
    }
  }

  boolean areHere() {
    return names.isEmpty();
  }

  /** Returns the host of a client, counted from 0. */
  String name(int client) {
    return names.get(client % names.size());
  }

  /** Returns the command that starts a client. */
  List<String> command(int client, long heapKib) {
    String started = command.replace(HOST, name(client)) + " --heap " + heapKib + "k";
    return List.of("/bin/sh", "-c", started);
  }
}
