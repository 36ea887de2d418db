package io.kvstadium.store.codec;

import io.kvstadium.store.CorruptException;
import io.kvstadium.store.StadiumException;
import io.kvstadium.store.internal.Arguments;
import io.kvstadium.store.internal.Hex;
import java.util.function.Function;

/** {@link Codec#map}. */
record MappedCodec<B, T>(
    Codec<B> base, Function<? super B, ? extends T> to, Function<? super T, ? extends B> from)
    implements Codec<T> {

  MappedCodec {
    Arguments.given("Codec.map", "base codec", base);
    Arguments.given("Codec.map", "function to", to);
    Arguments.given("Codec.map", "function from", from);
  }

  @Override
  public byte[] encode(T value) {
    return base.encode(
        Arguments.given(
            this,
            "result of the function from",
            from.apply(Arguments.given(this, "value", value))));
  }

  @Override
  public T decode(byte[] bytes) {
    B decoded = base.decode(bytes);
    try {
      return to.apply(decoded);
    } catch (StadiumException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CorruptException(
          "the function mapped over " + base + " refused " + Hex.of(bytes) + ": " + e, e);
    }
  }

  @Override
  public boolean ordered() {
    return base.ordered();
  }

  @Override
  public int length() {
    return base.length();
  }

  @Override
  public String toString() {
    return "map(" + base + ")";
  }
}
