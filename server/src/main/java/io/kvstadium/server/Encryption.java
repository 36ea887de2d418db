package io.kvstadium.server;

import io.kvstadium.store.BadArgumentException;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** TLS from the files that an operator names. */
final class Encryption {
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA");

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
    PublicKey known =
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(first(".*CERTIFICATE", certificate)))
            .getPublicKey();
    String algorithm = SIGNATURES.get(known.getAlgorithm());
    if (algorithm == null) {
      return;
    }
    PrivateKey secret =
        KeyFactory.getInstance(known.getAlgorithm())
            .generatePrivate(new PKCS8EncodedKeySpec(first("PRIVATE\\s+KEY", key)));
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

  /** The first block of such a name in a PEM file, which may have others. */
  private static byte[] first(String name, Path file) throws IOException {
    Matcher block =
        Pattern.compile("BEGIN\\s+" + name + "-+([^-]+)-")
            .matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
    if (!block.find()) {
      throw new IllegalArgumentException("no " + name + " in " + file);
    }
    return Base64.getMimeDecoder().decode(block.group(1));
  }

  private static Path existing(String name, Path file) {
    if (!Files.isReadable(file)) {
      throw new BadArgumentException("tls: there is no readable file " + file + " (" + name + ")");
    }
    return file;
  }
}
