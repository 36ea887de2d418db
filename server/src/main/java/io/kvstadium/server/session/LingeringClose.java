package io.kvstadium.server.session;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection so that the client gets the last reply. If a connection is closed while
 * something that the client sent is unread, the system resets it, and the client may lose what it
 * has not read yet. So only the own direction is closed, and what still comes is thrown away, until
 * the client closes too, or for a short time.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of what ends anyway
public final class LingeringClose {
  private static final long SECONDS = 2;

  private LingeringClose() {}

  /** Sends the last reply, which may be empty, and closes. What still arrives must be released. */
  public static void after(ChannelHandlerContext context, ByteBuf last) {
    context
        .writeAndFlush(last)
        .addListener(sent -> {
          SslHandler tls = context.pipeline().get(SslHandler.class);
          if (tls == null || !sent.isSuccess()) {
            end(context.channel(), sent.isSuccess());
          } else {
            tls.closeOutbound().addListener(ended -> end(context.channel(), ended.isSuccess()));
          }
        });
  }

  private static void end(Channel channel, boolean sound) {
    if (sound
        && channel.isActive()
        && channel instanceof DuplexChannel duplex
        && !duplex.isInputShutdown()) {
      channel.config().setAutoRead(true);
      Future<?> end =
          channel.eventLoop().schedule(() -> channel.close(), SECONDS, TimeUnit.SECONDS);
      channel.closeFuture().addListener(_ -> end.cancel(false));
      ChannelFuture closed = duplex.shutdownOutput();
      closed.addListener(done -> {
        if (!done.isSuccess()) {
          channel.close();
        }
      });
    } else {
      channel.close();
    }
  }
}
