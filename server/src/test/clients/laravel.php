<?php
// Laravel's queue, cache, locks and rate limiter against the server at a port; a worker of its own works jobs off.
foreach (['Redis', 'Queue', 'Cache', 'Container'] as $part) {
    require_once "/usr/share/php/Illuminate/$part/autoload.php";
}

use Illuminate\Cache\RateLimiter;
use Illuminate\Cache\RedisStore;
use Illuminate\Cache\Repository;
use Illuminate\Container\Container;
use Illuminate\Queue\RedisQueue;
use Illuminate\Redis\RedisManager;

function check(bool $right, string $what): void
{
    if (!$right) {
        fwrite(STDERR, "$what\n");
        exit(1);
    }
}

function redis(int $port): RedisManager
{
    return new RedisManager(new Container(), 'phpredis', [
        'options' => ['prefix' => 'app:'],
        'default' => ['host' => '127.0.0.1', 'port' => $port, 'database' => 0],
    ]);
}

final class Work
{
    public function fire($job, array $data): void
    {
        $redis = $GLOBALS['redis']->connection();
        if ($data['fails'] && $redis->hincrby('tries', $data['i'], 1) === 1) {
            $job->release(1);
            return;
        }
        $redis->hincrby('done', $data['i'], 1);
        $job->delete();
    }
}

$redis = redis((int) $argv[1]);
$container = new Container();
$container->bind(Work::class);
$queue = new RedisQueue($redis, 'default', null, 60);
$queue->setContainer($container);
if (($argv[2] ?? '') === 'work') {
    for ($end = microtime(true) + 5; microtime(true) < $end;) {
        $job = $queue->pop();
        $job === null ? usleep(20000) : $job->fire();
    }
    exit(0);
}

for ($i = 0; $i < 60; $i++) {
    $queue->push('Work', ['i' => $i, 'fails' => $i >= 50]);
}
$queue->later(2, 'Work', ['i' => 100, 'fails' => false]);
check($queue->size() === 61, 'size');
$workers = array_map(fn () => proc_open([PHP_BINARY, __FILE__, $argv[1], 'work'], [], $pipes), [1, 2]);
foreach ($workers as $each) {
    check(proc_close($each) === 0, 'a worker failed');
}
$done = $redis->connection()->hgetall('done');
ksort($done);
check($done == array_fill_keys([...range(0, 59), 100], '1'), 'done: ' . json_encode($done));
check($queue->size() === 0, 'left');

$store = new RedisStore($redis, 'cache:');
$cache = new Repository($store);
check($cache->add('a', [1, 2], 100) && !$cache->add('a', 3, 100) && $cache->get('a') === [1, 2], 'add');
check($cache->increment('n', 5) == 5 && $cache->pull('n') == 5 && $cache->get('n') === null, 'counter');
$lock = $store->lock('lock', 10);
check($lock->get() && !$store->lock('lock', 10)->get(), 'lock');
check(!$store->restoreLock('lock', 'another')->release() && $lock->release(), 'release');
check($store->lock('lock', 10)->get(), 'lock again');
$limiter = new RateLimiter($cache);
$passed = 0;
for ($i = 0; $i < 10; $i++) {
    $passed += $limiter->attempt('key', 4, fn () => true, 60) ? 1 : 0;
}
check($passed === 4, "limit: $passed");
$throttled = 0;
for ($i = 0; $i < 6; $i++) {
    $redis->connection()->throttle('t')->block(0)->allow(3)->every(60)->then(function () use (&$throttled) {
        $throttled++;
    }, fn () => null);
}
check($throttled === 3, "throttle: $throttled");
echo "ok\n";
