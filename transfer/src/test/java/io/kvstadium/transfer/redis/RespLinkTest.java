package io.kvstadium.transfer.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

class RespLinkTest {
  @Test
  void aPortThatAnswersNoHandshakeIsSaidToBeWithoutTls() throws IOException {
    // given: Redis without TLS takes a handshake for the beginning of a command, and waits
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket silent = new ServerSocket(0, 1, here);
        Socket socket = new Socket(here, silent.getLocalPort())) {
      socket.setSoTimeout(100);
      // when
      assertThatThrownBy(
              () -> RespLink.encrypted(socket, here.getHostName(), silent.getLocalPort()))
          // then: not only that nothing came
          .isExactlyInstanceOf(IOException.class)
          .hasCauseInstanceOf(SocketTimeoutException.class);
    }
  }
}
