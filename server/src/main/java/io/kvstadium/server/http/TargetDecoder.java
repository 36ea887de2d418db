package io.kvstadium.server.http;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;

/**
 * Keeps every byte of a request's target, as {@link HttpProtocol protocols} with keys of their own
 * need: the target ends at the last space of its line, not at the first, and each byte becomes the
 * character with its number.
 */
final class TargetDecoder extends HttpRequestDecoder {
  private int start;
  private String target = "";

  TargetDecoder(HttpLimits limits) {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(limits.target())
            .setMaxHeaderSize(limits.headers())
            .setMaxChunkSize(64 << 10));
  }

  @Override
  protected String splitSecondWordInitialLine(byte[] line, int from, int length) {
    start = from;
    target = text(line, from, from + length);
    return target;
  }

  @Override
  protected String splitThirdWordInitialLine(byte[] line, int from, int length) {
    int end = from + length;
    int version = end;
    while (version > from && line[version - 1] != ' ') {
      version--;
    }
    target = text(line, start, version - 1);
    return super.splitThirdWordInitialLine(line, version, end - version);
  }

  private static String text(byte[] line, int from, int to) {
    return new String(line, from, to - from, StandardCharsets.ISO_8859_1);
  }

  @Override
  protected HttpMessage createMessage(String[] line) {
    return new DefaultHttpRequest(
        HttpVersion.valueOf(line[2]),
        HttpMethod.valueOf(line[0]),
        target,
        headersFactory.newHeaders(),
        false);
  }
}
