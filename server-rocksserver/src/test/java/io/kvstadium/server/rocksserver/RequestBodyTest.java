package io.kvstadium.server.rocksserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.kvstadium.server.http.HttpException;
import io.kvstadium.server.rocksserver.RequestBody.Pair;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;

class RequestBodyTest {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static String written(List<Pair> pairs) {
    StringBuilder body = new StringBuilder();
    for (Pair each : pairs) {
      String value = text(Objects.requireNonNull(each.value()));
      body.append(text(each.key())).append('\n').append(value.length()).append('\n');
      body.append(value).append('\n');
    }
    return body.toString();
  }

  private static String last(List<Pair> pairs) {
    return pairs.isEmpty() ? "" : text(Objects.requireNonNull(pairs.getLast().value()));
  }

  @Property
  void aBodyIsTakenWithAllItsBytesOrRefused(
      @ForAll
          @StringLength(max = 12)
          @Chars({'\n', '\0', '-', 'k'})
          @CharRange(from = '0', to = '3')
          String body) {
    List<Function<byte[], List<Pair>>> all =
        List.of(
            RequestBody::set, RequestBody::sets, RequestBody::deletesAndSets, RequestBody::deletes);
    for (Function<byte[], List<Pair>> each : all) {
      try {
        assertThat(each.apply(bytes(body))).isNotNull();
      } catch (HttpException e) {
        assertThat(e.status().code()).isEqualTo(400);
      }
    }
    try {
      List<Pair> pairs = RequestBody.sets(bytes(body));
      String written = written(pairs);
      assertThat(written(RequestBody.sets(bytes(written)))).isEqualTo(written);
      assertThat(body)
          .matches(whole -> whole.endsWith(last(pairs)) || whole.endsWith(last(pairs) + "\n"));
    } catch (HttpException e) {
      assertThat(e.status().code()).isEqualTo(400);
    }
  }
}
