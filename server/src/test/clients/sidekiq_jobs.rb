# Sidekiq with a worker of its own: jobs, retries and scheduled jobs are each done once.
require 'sidekiq'
require 'sidekiq/api'

URL = "redis://127.0.0.1:#{ENV['REDIS_PORT'] || ARGV[0]}/0".freeze
Sidekiq.configure_server { |config| config.redis = { url: URL } }
Sidekiq.configure_client { |config| config.redis = { url: URL } }

class Work
  include Sidekiq::Worker
  def perform(i)
    Sidekiq.redis { |r| r.hincrby('done', i, 1) }
  end
end

class FailsOnce
  include Sidekiq::Worker
  sidekiq_options retry: 3
  sidekiq_retry_in { 1 }
  def perform(i)
    raise 'once' if Sidekiq.redis { |r| r.hincrby('tries', i, 1) } == 1
    Sidekiq.redis { |r| r.hincrby('done', i, 1) }
  end
end

unless ENV['REDIS_PORT'] # else the worker loads it
  file = File.expand_path(__FILE__)
  options = { 'REDIS_PORT' => ARGV[0] }
  worker = Process.spawn(options, 'sidekiq', '-c', '4', '-r', file, out: File::NULL, err: File::NULL)
  begin
    50.times { |i| Work.perform_async(i) }
    5.times { |i| FailsOnce.perform_async(100 + i) }
    Work.perform_in(2, 200)
    expected = [*0...50, *100...105, 200]
    done = {}
    limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 55
    until done.size == expected.size || Process.clock_gettime(Process::CLOCK_MONOTONIC) > limit
      sleep 0.1
      done = Sidekiq.redis { |r| r.hgetall('done') }
    end
  ensure
    Process.kill('TERM', worker)
    Process.wait(worker)
  end
  done = Sidekiq.redis { |r| r.hgetall('done') }
  abort "done: #{done}" unless done == expected.to_h { |i| [i.to_s, '1'] }
  abort 'left' unless Sidekiq::Queue.new.size.zero? && Sidekiq::RetrySet.new.size.zero? && Sidekiq::ScheduledSet.new.size.zero?
  puts 'ok'
end
