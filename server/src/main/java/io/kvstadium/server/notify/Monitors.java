package io.kvstadium.server.notify;

import io.kvstadium.server.client.Client;
import io.kvstadium.server.protocol.Command.Flag;
import io.kvstadium.server.protocol.Invocation;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The clients that are shown every request. Safe for all threads. */
public final class Monitors {
  private static final HexFormat HEX = HexFormat.of();

  /**
   * A line ends after the argument that makes it so long, and of each argument so many bytes are
   * shown: a line may not take a multiple of the request's memory.
   */
  private static final int LONGEST = 16 << 10;

  private final Set<Client> clients = ConcurrentHashMap.newKeySet();

  public void add(Client client) {
    client.monitors = true;
    clients.add(client);
  }

  public void remove(Client client) {
    client.monitors = false;
    clients.remove(client);
  }

  /**
   * Shows a request; passwords are not shown.
   *
   * @param inScript whether a script of the client calls it
   * @param clock is read only if somebody listens
   */
  public void show(Client client, Invocation call, boolean inScript, InstantSource clock) {
    if (clients.isEmpty() || call.command().is(Flag.ADMIN)) {
      return;
    }
    long millis = clock.millis();
    StringBuilder line = new StringBuilder();
    line.append(millis / 1_000)
        .append(".%03d000 [".formatted(millis % 1_000))
        .append(client.database)
        .append(' ')
        .append(inScript ? "lua" : client.address())
        .append(']');
    boolean secret = call.command().is(Flag.SECRET);
    int shown = call.size();
    for (int i = 0; i < call.size(); i++) {
      if (line.length() >= LONGEST) {
        line.append(" ... (%d more arguments)".formatted(call.size() - i));
        break;
      }
      if (secret && i > 0 && call.lowerCase(i - 1).equals("auth")) { // a name, or an option
        shown = i;
      }
      if (i < shown) {
        quote(line.append(' '), call.arg(i));
      } else {
        line.append(" \"(redacted)\"");
      }
    }
    String text = line.toString();
    clients.forEach(each -> each.push(out -> out.simple(text)));
  }

  private static void quote(StringBuilder line, byte[] argument) {
    line.append('"');
    int shown = Math.min(argument.length, LONGEST);
    for (int i = 0; i < shown; i++) {
      byte b = argument[i];
      switch (b) {
        case '\\', '"' -> line.append('\\').append((char) b);
        case '\n' -> line.append("\\n");
        case '\r' -> line.append("\\r");
        case '\t' -> line.append("\\t");
        case 7 -> line.append("\\a");
        case '\b' -> line.append("\\b");
        default -> {
          if (b >= ' ' && b <= '~') {
            line.append((char) b);
          } else {
            line.append("\\x").append(HEX.toHexDigits(b));
          }
        }
      }
    }
    line.append('"');
    if (shown < argument.length) {
      line.append("... (%d more bytes)".formatted(argument.length - shown));
    }
  }
}
