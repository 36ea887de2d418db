package io.kvstadium.browse;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.browse.place.Opened;
import io.kvstadium.store.Engines;
import io.kvstadium.store.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets an answer, asked in plain HTTP: clients of the JDK refuse to send such headers. */
class GuardTest {
  @TempDir private Path folder;
  private Opened opened;
  private Browse browse;
  private URI url;
  private String token;

  @BeforeEach
  void start() {
    Engines engines = Engines.installed();
    try (Store store = engines.open("lmdb:" + folder, io.kvstadium.store.OpenOptions.DEFAULT)) {
      store.table().put(new byte[] {'a'}, new byte[] {'1'});
    }
    opened = Opened.open(folder.toString(), engines, false, _ -> {});
    browse = Browse.start(List.of(opened), 0, false);
    url = URI.create(browse.url());
    token = url.getQuery().substring("token=".length());
  }

  @AfterEach
  void close() {
    browse.close();
    opened.close();
  }

  @Test
  void thePageIsForWhoHasTheToken() throws IOException {
    assertThat(status("/?token=" + token, host(), "")).isEqualTo(303);
    assertThat(status("/", host(), cookie())).isEqualTo(200);
    assertThat(status("/api/store", host(), cookie())).isEqualTo(200);
    assertThat(status("/api/store", host(), cookie() + "\r\nOrigin: http://" + host()))
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/browse.js", "/api/store", "/api/raw?table=default&key=61"})
  void withoutTheTokenNothingIsAnswered(String path) throws IOException {
    assertThat(status(path, host(), "")).isEqualTo(403);
    assertThat(status(path + (path.contains("?") ? "&" : "?") + "token=wrong", host(), ""))
        .isEqualTo(403);
  }

  @Test
  void theTokenOpensOnlyThePageByItsUrl() throws IOException {
    assertThat(status("/api/store?token=" + token, host(), "")).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource({"attacker.example", "127.0.0.1", "127.0.0.1:1", "localhost.attacker.example:80"})
  void aNameThatWasLetPointHereIsRefused(String host) throws IOException {
    assertThat(status("/api/store", host, cookie())).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource({"http://attacker.example", "http://127.0.0.1:1", "https://127.0.0.1", "null"})
  void aPageFromElsewhereIsRefused(String origin) throws IOException {
    assertThat(status("/api/store", host(), cookie() + "\r\nOrigin: " + origin)).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /api/entries?table=none
          /api/entries
          /api/entries?table=default&from=xyz
          /api/entries?table=default&limit=many
          /api/entries?table=default&keys=klingon
          /api/value?table=default&key=00
          /api/count?table=default&prefix=%zz
          /api/search?table=default&text=
          /api/compare?table=default
          """)
  void badQuestionsAreRefusedAsSuch(String path) throws IOException {
    assertThat(status(path, host(), cookie())).isEqualTo(400);
  }

  @Test
  void aStoreThatIsReadOnlyIsNotChanged() throws IOException {
    assertThat(status("POST", "/api/change", host(), cookie())).isEqualTo(400);
    assertThat(status("POST", "/api/undo?id=1", host(), cookie())).isEqualTo(400);
  }

  private String host() {
    return url.getAuthority();
  }

  private String cookie() {
    return "Cookie: stadium-browse-" + url.getPort() + "=" + token;
  }

  private int status(String path, String host, String header) throws IOException {
    return status("GET", path, host, header);
  }

  private int status(String method, String path, String host, String header) throws IOException {
    try (Socket socket = new Socket(url.getHost(), url.getPort())) {
      String request =
          method
              + " "
              + path
              + " HTTP/1.1\r\nHost: "
              + host
              + "\r\nConnection: close\r\nContent-Length: 0\r\n"
              + (header.isEmpty() ? "" : header + "\r\n")
              + "\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      return Integer.parseInt(in.readLine().split(" ")[1]);
    }
  }
}
