package io.kvstadium.engine.rocksserver;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Requests to a server. An interrupt does not end one. */
final class Http implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** Each of the requests under way has its own connection. */
  private static final int MOST_REQUESTS = 64;

  private final Semaphore free = new Semaphore(MOST_REQUESTS, true);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT).build();
  private final Address server;

  Http(Address server) throws UnknownHostException {
    if (new InetSocketAddress(server.host(), server.port()).isUnresolved()) {
      throw new UnknownHostException(server.host());
    }
    this.server = server;
  }

  /** Returns the whole answer to a GET. */
  Answer get(String target) throws IOException {
    return new Answer(
        new ByteArrayInputStream(send(request(target).build(), BodyHandlers.ofByteArray())));
  }

  /** Returns the answer to a GET as it arrives; it must be closed. */
  InputStream stream(String target) throws IOException {
    return send(request(target).build(), BodyHandlers.ofInputStream());
  }

  /**
   * Sends a POST, which must succeed.
   *
   * @throws LostAnswerException if it was sent, and no answer came
   */
  void post(String route, byte[] body) throws IOException {
    HttpRequest request = request(route).POST(BodyPublishers.ofByteArray(body)).build();
    byte[] answer;
    try {
      answer = send(request, BodyHandlers.ofByteArray());
    } catch (RefusedException e) {
      throw e;
    } catch (IOException e) {
      boolean sent =
          !(e.getCause() instanceof ConnectException
              || e.getCause() instanceof HttpConnectTimeoutException);
      throw sent ? new LostAnswerException(e) : e;
    }
    new Answer(new ByteArrayInputStream(answer)).checkOk();
  }

  /** The connection was lost while a change was under way. */
  static final class LostAnswerException extends IOException {
    @Serial private static final long serialVersionUID = 1;

    LostAnswerException(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  private HttpRequest.Builder request(String target) {
    return HttpRequest.newBuilder(URI.create("http://" + server + target));
  }

  private <B> B send(HttpRequest request, BodyHandler<B> handler) throws IOException {
    free.acquireUninterruptibly();
    try {
      HttpResponse<B> response =
          client
              .sendAsync(request, handler)
              .orTimeout(server.timeout().toMillis(), TimeUnit.MILLISECONDS)
              .join();
      if (response.statusCode() != 200) {
        throw new RefusedException("the server answered " + response.statusCode());
      }
      return response.body();
    } catch (CompletionException e) {
      throw new IOException(e.getCause());
    } finally {
      free.release();
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
    client.close();
  }
}
