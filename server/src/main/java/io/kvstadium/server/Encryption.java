package io.kvstadium.server;

import io.kvstadium.store.BadArgumentException;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** TLS from the files that an operator names. */
final class Encryption {
  private Encryption() {}

  /**
   * The TLS context for connections, or {@code null} for none.
   *
   * @throws BadArgumentException if a file is missing or is not what it should be
   */
  static @Nullable SslContext of(ServerOptions.@Nullable Tls tls) {
    if (tls == null) {
      return null;
    }
    Path certificate = existing("certificate", tls.certificate());
    Path key = existing("key", tls.key());
    Path authority = tls.clientAuthority();
    try {
      SslContextBuilder builder = SslContextBuilder.forServer(certificate.toFile(), key.toFile());
      if (authority != null) {
        builder
            .trustManager(existing("client_authority", authority).toFile())
            .clientAuth(ClientAuth.REQUIRE);
      }
      return builder.build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new BadArgumentException(
          "tls: "
              + certificate
              + " and "
              + key
              + " are not a certificate and its key in PEM form (the key in PKCS#8): "
              + e.getMessage(),
          e);
    }
  }

  private static Path existing(String name, Path file) {
    if (!Files.isReadable(file)) {
      throw new BadArgumentException("tls: there is no readable file " + file + " (" + name + ")");
    }
    return file;
  }
}
