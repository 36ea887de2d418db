package io.kvstadium.server.rocksserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every route of the classic protocol, byte for byte. */
class RocksServerRoutesTest {
  @TempDir private Path directory;

  private interface Check {
    void on(Served served) throws InterruptedException;
  }

  private Stream<DynamicTest> onEach(Check check) {
    return Served.engines(directory)
        .map(url ->
            DynamicTest.dynamicTest(
                url.substring(0, url.indexOf(':')),
                () -> {
                  try (Served served = new Served(url)) {
                    check.on(served);
                    assertThat(served.log).isEmpty();
                  }
                }));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void given(Served served, String... pairs) {
    for (int i = 0; i < pairs.length; i += 2) {
      served.store.table().put(bytes(pairs[i]), bytes(pairs[i + 1]));
    }
  }

  private static String stored(Served served, String key) {
    byte[] value = served.store.table().get(bytes(key));
    return value == null ? "none" : new String(value, StandardCharsets.ISO_8859_1);
  }

  @TestFactory
  Stream<DynamicTest> get() {
    return onEach(served -> {
      given(served, "k", "v\0w\n\u00ff", "a b", "space", "a&b=%41", "odd", "k ", "tail");
      given(served, "\u00fc\u0001\t", "high", "a?b", "mark", "e", "");

      assertThat(served.get("/get?k")).isEqualTo("5\nv\0w\n\u00ff\n");
      assertThat(served.get("/get?none")).isEqualTo("-1\n");
      assertThat(served.get("/get")).isEqualTo("-1\n");
      assertThat(served.get("/get?")).isEqualTo("-1\n");
      assertThat(served.get("/get?a b")).isEqualTo("5\nspace\n");
      assertThat(served.get("/get?k ")).isEqualTo("4\ntail\n");
      assertThat(served.get("/get?a&b=%41")).isEqualTo("3\nodd\n");
      assertThat(served.get("/get?\u00fc\u0001\t")).isEqualTo("4\nhigh\n");
      assertThat(served.get("/get?a?b")).isEqualTo("4\nmark\n");
      assertThat(served.get("/get?e")).isEqualTo("0\n\n");
      assertThat(served.get("/get?" + "x".repeat(5_000))).isEqualTo("-1\n");
      assertThat(served.get("http://a/get?k")).isEqualTo("5\nv\0w\n\u00ff\n");
    });
  }

  @TestFactory
  Stream<DynamicTest> multiGet() {
    return onEach(served -> {
      given(served, "a", "1", "b", "2\0");

      assertThat(served.get("/mget?b&x&a")).isEqualTo("b\n2\n2\0\nx\n-1\na\n1\n1\n");
      assertThat(served.get("/mget")).isEmpty();
      assertThat(served.get("/mget?a&&")).isEqualTo("a\n1\n1\n\n-1\n\n-1\n");
      assertThat(served.get("/mget?a&" + "x".repeat(600)))
          .isEqualTo("a\n1\n1\n" + "x".repeat(600) + "\n-1\n");
    });
  }

  @TestFactory
  Stream<DynamicTest> exist() {
    return onEach(served -> {
      given(served, "a&b", "1\0");

      assertThat(served.get("/exist?a&b")).isEqualTo("OK\n2\n1\0\n");
      assertThat(served.get("/exist?a")).isEqualTo("FAIL\n");
      assertThat(served.get("/exist")).isEqualTo("FAIL\n");
    });
  }

  @TestFactory
  Stream<DynamicTest> scans() {
    return onEach(served -> {
      given(served, "a1", "1", "a2", "2", "b&1", "3", "b2", "4", "c\u00ff", "5");
      String a1 = "a1\n1\n1\n";
      String a2 = "a2\n1\n2\n";
      String b1 = "b&1\n1\n3\n";
      String b2 = "b2\n1\n4\n";
      String c = "c\u00ff\n1\n5\n";

      assertThat(served.get("/prefit?a")).isEqualTo(a1 + a2);
      assertThat(served.get("/prefit?b&")).isEqualTo(b1);
      assertThat(served.get("/prefit?c\u00ff")).isEqualTo(c);
      assertThat(served.get("/prefit?x")).isEmpty();
      assertThat(served.get("/prefit")).isEmpty();
      assertThat(served.get("/tail")).isEqualTo(a1 + a2 + b1 + b2 + c);
      assertThat(served.post("/tail", "")).isEqualTo(a1 + a2 + b1 + b2 + c);
      assertThat(served.get("/seeknext?a2")).isEqualTo(a2 + b1 + b2 + c);
      assertThat(served.get("/seeknext?a11")).isEqualTo(a2 + b1 + b2 + c);
      assertThat(served.get("/seeknext?a11&a")).isEqualTo(a2);
      assertThat(served.get("/seeknext?a&b")).isEmpty();
      assertThat(served.get("/seeknext?&a")).isEqualTo(a1 + a2);
      assertThat(served.get("/seeknext")).isEmpty();
      assertThat(served.get("/seeknext-range?a2&b2")).isEqualTo(a2 + b1 + b2);
      assertThat(served.get("/seeknext-range?a2&b2&a")).isEqualTo(a2);
      assertThat(served.get("/seeknext-range?a2")).isEqualTo(a2);
      assertThat(served.get("/seekprev?a3")).isEqualTo(a2 + b1 + b2 + c);
      assertThat(served.get("/seekprev?a2&a")).isEqualTo(a2);
      assertThat(served.get("/seekprev?A")).isEqualTo(a1 + a2 + b1 + b2 + c);
      assertThat(served.get("/seekprev-range?a3&b1")).isEqualTo(a2 + b1);
      assertThat(served.get("/seekprev-range?a3&b1&a")).isEqualTo(a2);
      assertThat(served.get("/seek-first?b")).isEqualTo(b1);
      assertThat(served.get("/seek-first?x")).isEqualTo("\n-1\n");
      assertThat(served.get("/seek-first")).isEqualTo("\n-1\n");
      assertThat(served.get("/seeknext?" + "z".repeat(600))).isEmpty();
    });
  }

  @TestFactory
  Stream<DynamicTest> set() {
    return onEach(served -> {
      assertThat(served.post("/set", "k\n4\na\0\nb")).isEqualTo("OK\n");
      assertThat(stored(served, "k")).isEqualTo("a\0\nb");
      assertThat(served.post("/set", "e\n0\n")).isEqualTo("OK\n");
      assertThat(stored(served, "e")).isEmpty();
      assertThat(served.post("/set", "t\n5\nhello\n")).isEqualTo("OK\n");
      assertThat(stored(served, "t")).isEqualTo("hello");
    });
  }

  @TestFactory
  Stream<DynamicTest> anEmptyKeyIsNotWritten() {
    return onEach(served -> {
      assertThat(served.post("/set", "\n1\nx")).isEqualTo("FAIL\n");
      assertThat(served.post("/mset", "a\n1\n1\n\n1\n2\n")).isEqualTo("FAIL\n");
      assertThat(served.post("/mdelset", "\n1\na\nb\n1\n1\n\n1\n2\n")).isEqualTo("FAIL\n");
      assertThat(served.post("/incr", "\n5")).isEqualTo("FAIL\n");

      assertThat(served.store.table().count()).isZero();
    });
  }

  @TestFactory
  Stream<DynamicTest> lengthsThatDoNotFitWriteNothing() {
    return onEach(served -> {
      String[] sets = {"k\n5\nv", "k\n0\nv", "k\n-1\nv", "k\nx\nv", "k\n\nv", "k\n1", "k", "\n"};
      for (String body : sets) {
        assertThat(served.post("/set", body)).as(body).isEqualTo("FAIL\n");
      }
      assertThat(served.post("/set", "k\n99999999999999999999\nv")).isEqualTo("FAIL\n");
      assertThat(served.post("/mset", "k\n1\nv\nm\n2\nw")).isEqualTo("FAIL\n");
      assertThat(served.post("/mset", "k\n1\nvm\n1\nw")).isEqualTo("FAIL\n");
      assertThat(served.post("/mdelset", "\n1\nk\nm\n2\nw")).isEqualTo("FAIL\n");

      assertThat(served.store.table().count()).isZero();
    });
  }

  @TestFactory
  Stream<DynamicTest> multiSet() {
    return onEach(served -> {
      assertThat(served.post("/mset", "a\n1\n1\nb\n3\n\n\0\n\na\n1\n2\n")).isEqualTo("OK\n");
      assertThat(stored(served, "a")).isEqualTo("2");
      assertThat(stored(served, "b")).isEqualTo("\n\0\n");
      assertThat(served.post("/mset", "c\n1\n3")).isEqualTo("OK\n");
      assertThat(stored(served, "c")).isEqualTo("3");
    });
  }

  @TestFactory
  Stream<DynamicTest> aBatchThatTheEngineCannotHoldWritesNothing() {
    return onEach(served -> {
      if (served.store.limits().maxKeyBytes() < 5_000) {
        String body = "a\n1\n1\n" + "x".repeat(5_000) + "\n1\n2\n";

        assertThat(served.post("/mset", body)).isEqualTo("FAIL\n");
        assertThat(served.post("/mset", "a\n1\n1\n\n1\n2\n")).isEqualTo("FAIL\n");

        assertThat(served.store.table().count()).isZero();
      }
    });
  }

  @TestFactory
  Stream<DynamicTest> deletes() {
    return onEach(served -> {
      given(served, "a\nb", "1", "c", "2", "d", "3", "e", "4");

      assertThat(served.post("/del", "a\nb")).isEqualTo("OK\n");
      assertThat(served.post("/del", "none")).isEqualTo("OK\n");
      assertThat(served.post("/mdel", "c\nnone\nd\n")).isEqualTo("OK\n");

      assertThat(served.get("/tail")).isEqualTo("e\n1\n4\n");
    });
  }

  @TestFactory
  Stream<DynamicTest> deletesAndSets() {
    return onEach(served -> {
      given(served, "a", "1", "b", "2", "c", "3");

      assertThat(served.post("/mdelset", "\n1\na\n\n1\nb\nb\n1\nB\n")).isEqualTo("OK\n");

      assertThat(served.get("/tail")).isEqualTo("b\n1\nB\nc\n1\n3\n");
    });
  }

  @TestFactory
  Stream<DynamicTest> increments() {
    return onEach(served -> {
      given(served, "word", "abc", "part", " 12abc", "most", "9223372036854775807");

      assertThat(served.post("/incr", "n")).isEqualTo("OK\n");
      assertThat(served.post("/incr", "n\n-11")).isEqualTo("OK\n");
      assertThat(stored(served, "n")).isEqualTo("-10");
      assertThat(served.post("/incr", "word\n5")).isEqualTo("OK\n");
      assertThat(stored(served, "word")).isEqualTo("5");
      assertThat(served.post("/get-incr", "part")).isEqualTo("2\n13\n");
      assertThat(served.post("/incr", "most")).isEqualTo("FAIL\n");
      assertThat(served.post("/get-incr", "most")).isEqualTo("-1\n");
      assertThat(stored(served, "most")).isEqualTo("9223372036854775807");
    });
  }

  @TestFactory
  Stream<DynamicTest> incrementsOfManyConnectionsAddUp() {
    return onEach(served -> {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        threads.add(
            Thread.ofVirtual()
                .start(() -> {
                  for (int n = 0; n < 100; n++) {
                    served.post("/incr", "counter");
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }

      assertThat(served.get("/get?counter")).isEqualTo("3\n800\n");
    });
  }

  @TestFactory
  Stream<DynamicTest> postRoutesWantABody() {
    return onEach(served -> {
      given(served, "k", "1");
      String[] routes = {"/set", "/mset", "/del", "/mdel", "/mdelset", "/incr", "/get-incr"};
      for (String route : routes) {
        assertThat(served.get(route + "?k")).as(route).isEqualTo("FAIL\n");
        assertThat(served.post(route, "")).as(route).isEqualTo("FAIL\n");
      }
      assertThat(stored(served, "k")).isEqualTo("1");
    });
  }

  @TestFactory
  Stream<DynamicTest> theRest() {
    return onEach(served -> {
      assertThat(served.get("/ping")).isEqualTo("pong");
      served
          .store
          .stats()
          .keySet()
          .forEach(name -> assertThat(served.get("/stats")).contains(name + ": "));
      assertThat(served.post("/stats", "")).isEqualTo(served.get("/stats"));
      assertThat(served.get("/wstats?none")).isEqualTo("FAIL\n");
      assertThat(served.post("/backup", "")).isEqualTo("FAIL\n");
      assertThat(served.get("/backup/info")).isEqualTo("FAIL\n");
      assertThat(served.post("/backup/del", "1")).isEqualTo("FAIL\n");
      assertThat(served.post("/backup/mdel", "1\n2")).isEqualTo("FAIL\nFAIL\n");
    });
  }
}
