package io.kvstadium.torture.child;

import io.kvstadium.store.FullException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.torture.check.Finding;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A child's connection to its parent. Not a standard stream, since a dying virtual machine writes
 * there. The parent reads what was sent even if the child is killed right after. Safe for all
 * threads.
 */
public final class Line implements AutoCloseable {
  private final SocketChannel channel;
  private final DataOutputStream out;

  Line(Path socket) throws IOException {
    channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    channel.connect(UnixDomainSocketAddress.of(socket));
    out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel)));
  }

  synchronized void send(Message message) {
    try {
      message.write(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the parent of this process is gone", e);
    }
  }

  /** Reports what was thrown, and why. */
  void send(Finding.Kind kind, String doing, Throwable thrown) {
    String causes =
        Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
            .map(Throwable::toString)
            .collect(Collectors.joining("; because of "));
    send(new Message.Found(new Finding(kind, doing + ": " + causes)));
  }

  /** Reports that a writing call failed. */
  void failed(String doing, StadiumException thrown) {
    send(
        thrown instanceof FullException ? Finding.Kind.NO_ROOM : Finding.Kind.ERROR, doing, thrown);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
