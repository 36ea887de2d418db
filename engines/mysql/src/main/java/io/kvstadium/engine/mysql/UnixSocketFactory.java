package io.kvstadium.engine.mysql;

import com.mysql.cj.conf.PropertySet;
import com.mysql.cj.protocol.ServerSession;
import com.mysql.cj.protocol.SocketConnection;
import com.mysql.cj.protocol.SocketFactory;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Lets the driver, which knows only networks, reach a server through a file. Made by the driver,
 * one for each connection.
 */
public final class UnixSocketFactory implements SocketFactory {
  /** The connection property with the file's path. */
  static final String PATH = "kvStadiumSocket";

  private @Nullable Closeable socket;

  /** For the driver. */
  public UnixSocketFactory() {}

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the driver wants a Socket
  public <T extends Closeable> T connect(
      String host, int port, PropertySet properties, int loginTimeout) throws IOException {
    String path = properties.getStringProperty(PATH).getValue();
    ChannelSocket connected =
        new ChannelSocket(SocketChannel.open(UnixDomainSocketAddress.of(path)));
    socket = connected;
    return (T) connected;
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public <T extends Closeable> T performTlsHandshake(
      SocketConnection connection, ServerSession session) throws IOException {
    Closeable connected = socket;
    if (connected == null) {
      throw new SocketException("not connected");
    }
    return (T) connected; // inside the machine nothing needs to be encrypted
  }

  /** A channel in the form of a socket: only what the driver calls. */
  private static final class ChannelSocket extends Socket {
    private final SocketChannel channel;
    private final InputStream in;
    private final OutputStream out;

    ChannelSocket(SocketChannel channel) {
      this.channel = channel;
      this.in = Channels.newInputStream(channel);
      this.out = Channels.newOutputStream(channel);
    }

    @Override
    public InputStream getInputStream() {
      return in;
    }

    @Override
    public OutputStream getOutputStream() {
      return out;
    }

    @Override
    public boolean isConnected() {
      return channel.isConnected();
    }

    @Override
    public boolean isClosed() {
      return !channel.isOpen();
    }

    @Override
    public void shutdownInput() throws IOException {
      channel.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
      channel.shutdownOutput();
    }

    @Override
    public void setSoTimeout(int millis) {
      // the server is on this machine: it answers, or it is dead and the channel closed
    }

    @Override
    public synchronized void close() throws IOException {
      channel.close();
    }
  }
}
