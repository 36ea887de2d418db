package io.kvstadium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceManagerTest {
  @TempDir Path directory;

  @Test
  void aServiceManagerIsToldWhenTheServerServes() throws InterruptedException {
    tells(directory.resolve("notify").toString(), directory.resolve("notify").toString());
    String name = "stadium-test-" + ProcessHandle.current().pid();
    tells("\0" + name, "@" + name);
  }

  private static void tells(String address, String variable) throws InterruptedException {
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    Channel manager =
        new Bootstrap()
            .group(loops)
            .channel(EpollDomainDatagramChannel.class)
            .handler(
                new SimpleChannelInboundHandler<DomainDatagramPacket>() {
                  @Override
                  protected void channelRead0(
                      ChannelHandlerContext context, DomainDatagramPacket packet) {
                    told.add(packet.content().toString(StandardCharsets.US_ASCII));
                  }
                })
            .bind(new DomainSocketAddress(address))
            .sync()
            .channel();
    try (TestServer server = TestServer.start()) {
      server.server().tellReady(variable);

      assertThat(told.take()).isEqualTo("READY=1\n");
    } finally {
      manager.close().sync();
      loops.shutdownGracefully().sync();
    }
  }
}
