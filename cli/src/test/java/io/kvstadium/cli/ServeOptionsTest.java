package io.kvstadium.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.cli.Cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** What {@code serve} says of its file and its options before it serves anything. */
@TestInstance(Lifecycle.PER_CLASS)
class ServeOptionsTest {
  private Path directory;
  private Resident stadium;

  @BeforeAll
  void begin(@TempDir Path fresh) {
    directory = fresh;
    stadium = new Resident(directory);
  }

  @AfterAll
  void end() {
    stadium.close();
  }

  /** What is valid must be able to start, and let somebody in. */
  @Test
  void whatCannotBeServedIsNotValid() throws IOException {
    assertThat(check("url = \"rocksbd:data\"")).contains("server.toml: url", "'rocksbd'");
    assertThat(check("url = \"rocksdb:data?durabilty=power\"")).contains("durabilty");
    assertThat(check("bind = \"0.0.0.0\"")).contains("0.0.0.0", "without a password");
    assertThat(check("password_file = \"none\"")).contains("none");
    assertThat(check("unix_socket_mode = \"999\"")).contains("unix_socket_mode", "octal");
  }

  private String check(String line) throws IOException {
    Files.writeString(directory.resolve("server.toml"), line + "\n");
    Run run = stadium.run("serve", "--check-config", "server.toml");
    assertThat(run.exit()).as(run.out()).isEqualTo(2);
    return run.err();
  }

  /** With what is an example in it, too, and without each setting that has a default. */
  @Test
  void theSampleFileIsValid() throws IOException {
    Path sample = Repository.root().resolve("packaging/server.toml");
    Path tls = Repository.root().resolve("server/src/test/resources/io/kvstadium/server/tls");
    for (String file : List.of("server.pem", "clients.pem")) {
      Files.copy(tls.resolve("certificate.pem"), directory.resolve(file));
    }
    Files.copy(tls.resolve("key.pem"), directory.resolve("server.key"));
    Files.writeString(directory.resolve("password"), "secret");
    List<String> lines = Files.readAllLines(sample);
    String all =
        lines.stream()
            .map(line -> line.startsWith("# ") ? "" : line.replaceFirst("^#", ""))
            .collect(Collectors.joining("\n"));

    Stream<String> withoutOne =
        all.lines()
            .filter(line -> line.contains(" = "))
            .filter(line -> !line.matches("(name|rules|certificate|key|directory|max_size) .*"))
            .map(line -> all.replace("\n" + line, ""));
    List<String> texts =
        Stream.concat(Stream.of(String.join("\n", lines), all), withoutOne).toList();
    for (String text : texts) {
      Files.writeString(directory.resolve("server.toml"), text);
      assertThat(stadium.run("serve", "--check-config", "server.toml"))
          .isEqualTo(new Run(0, "server.toml is valid.\n", ""));
    }
    assertThat(all).contains("\n[tls]", "\nmax_rate", "\nmax_argument ");
  }

  @Test
  void aWrongFileIsRefusedWithItsLine() throws IOException {
    Path file = directory.resolve("server.toml");
    Files.writeString(file, "url = \"memory:\"\n[limits]\nidel = \"5m\"\n");

    Run run = stadium.run("serve", "--check-config", "server.toml");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("stadium: server.toml:3: [limits] does not know 'idel' (did you mean 'idle'?)");
    Files.writeString(file, "url = \"memory:\"\n");
    assertThat(stadium.run("serve", "--check-config", "server.toml"))
        .isEqualTo(new Run(0, "server.toml is valid.\n", ""));
  }

  @Test
  void saysWhatIsMissing() {
    Run run = stadium.run("serve");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).startsWith("stadium: what should be served? Give the URL of a store");
    assertThat(stadium.run("serve", "memory:", "--no-redis", "--no-http").err())
        .isEqualTo("stadium: --no-redis and --no-http: nothing would be served\n");
    assertThat(stadium.run("serve", "memory:", "--rocksserver", "--no-http").err())
        .startsWith("stadium: --rocksserver is a protocol of HTTP");
  }
}
