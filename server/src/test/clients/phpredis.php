<?php
// phpredis against the server at a port. Ends with an error where a reply is not as expected.
function check(bool $right, string $what): void
{
    if (!$right) {
        fwrite(STDERR, "$what\n");
        exit(1);
    }
}

$r = new Redis();
check($r->connect('127.0.0.1', (int) $argv[1]), 'connect');
$r->flushDB();
check($r->set('a', '1', ['ex' => 100]) && $r->get('a') === '1' && $r->ttl('a') > 90, 'set with expiry');
check($r->get('nothing') === false, 'get of nothing');
check($r->incrBy('n', 5) === 5, 'incrBy');
check($r->hMSet('h', ['x' => 1, 'y' => 2]) && $r->hGetAll('h') === ['x' => '1', 'y' => '2'], 'hash');
check($r->rPush('l', '1', '2', '3') === 3 && $r->lRange('l', 0, -1) === ['1', '2', '3'], 'list');
check($r->sAdd('s', '1', '2') === 2 && $r->sIsMember('s', '2'), 'set');
check($r->zAdd('z', 1, 'a', 2.5, 'b') === 2, 'zAdd');
check($r->zRange('z', 0, -1, true) === ['a' => 1.0, 'b' => 2.5], 'zRange');
check($r->mGet(['a', 'nothing']) === ['1', false], 'mGet');
check($r->multi(Redis::PIPELINE)->set('p', 'v')->get('p')->exec() === [true, 'v'], 'pipeline');
check($r->multi()->set('p', 'w')->incr('n')->exec() === [true, 6], 'transaction');

$other = new Redis();
$other->connect('127.0.0.1', (int) $argv[1]);
$r->watch('a');
$other->set('a', 'changed');
check($r->multi()->set('a', 'lost')->exec() === false && $r->get('a') === 'changed', 'watch');

$found = [];
$cursor = null;
while (($keys = $r->scan($cursor)) !== false) {
    $found = array_merge($found, $keys);
}
sort($found);
check($found === ['a', 'h', 'l', 'n', 'p', 's', 'z'] && $r->dbSize() === 7, 'scan');
$other->rPush('q', 'job');
check($r->blPop(['q'], 10) === ['q', 'job'], 'blPop');
check($r->rawCommand('KV.SET', 't', 'k', 'v') == 'OK' && $r->rawCommand('KV.GET', 't', 'k') === 'v', 'tables');
check($r->eval('return redis.call("GET", KEYS[1])', ['p'], 1) === 'w', 'eval');
check($r->acl('whoami') === 'default' && count($r->client('list')) === 2, 'clients');
echo "ok\n";
