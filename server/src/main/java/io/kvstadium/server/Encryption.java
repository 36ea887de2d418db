package io.kvstadium.server;

import io.kvstadium.store.BadArgumentException;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** TLS from the files that an operator names. */
final class Encryption {
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

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
      SslContext context = builder.build();
      requirePair(certificate, key);
      return context;
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
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

  /** Netty takes a key of another certificate, with which no client gets in. */
  private static void requirePair(Path certificate, Path key)
      throws IOException, GeneralSecurityException {
    PublicKey known;
    try (InputStream in = Files.newInputStream(certificate)) {
      known = CertificateFactory.getInstance("X.509").generateCertificate(in).getPublicKey();
    }
    String algorithm = SIGNATURES.get(known.getAlgorithm());
    if (algorithm == null) {
      return;
    }
    String pem =
        Files.readString(key, StandardCharsets.ISO_8859_1)
            .replaceAll("(?s)^.*?BEGIN\\s+PRIVATE\\s+KEY-+|-+END.*$", "");
    PrivateKey secret =
        KeyFactory.getInstance(known.getAlgorithm())
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem)));
    byte[] text = {1};
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(secret);
    signature.update(text);
    byte[] signed = signature.sign();
    signature.initVerify(known);
    signature.update(text);
    if (!signature.verify(signed)) {
      throw new IllegalArgumentException("the key is not that of the certificate");
    }
  }

  private static Path existing(String name, Path file) {
    if (!Files.isReadable(file)) {
      throw new BadArgumentException("tls: there is no readable file " + file + " (" + name + ")");
    }
    return file;
  }
}
