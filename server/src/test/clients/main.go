// go-redis against the server at a port.
package main

import (
	"context"
	"fmt"
	"os"
	"reflect"

	"github.com/redis/go-redis/v9"
)

func check(what string, found, wanted any, err error) {
	if err != nil || !reflect.DeepEqual(found, wanted) {
		fmt.Printf("%s: %v, %v instead of %v\n", what, found, err, wanted)
		os.Exit(1)
	}
}

func main() {
	ctx := context.Background()
	r := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + os.Args[1]})
	check("flush", r.FlushDB(ctx).Val(), "OK", nil)
	check("set", r.Set(ctx, "n", 1, 0).Val(), "OK", nil)
	check("incr", r.Incr(ctx, "n").Val(), int64(2), nil)
	r.HSet(ctx, "h", "a", 1, "b", 2)
	check("hash", r.HGetAll(ctx, "h").Val(), map[string]string{"a": "1", "b": "2"}, nil)
	r.ZAdd(ctx, "z", redis.Z{Score: 1.5, Member: "m"})
	check("zset", r.ZRangeWithScores(ctx, "z", 0, -1).Val(), []redis.Z{{Score: 1.5, Member: "m"}}, nil)
	err := r.Watch(ctx, func(tx *redis.Tx) error {
		n, err := tx.Get(ctx, "n").Int()
		if err != nil {
			return err
		}
		_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error { return p.Set(ctx, "n", n+1, 0).Err() })
		return err
	}, "n")
	check("watch", r.Get(ctx, "n").Val(), "3", err)
	keys := 0
	scan := r.Scan(ctx, 0, "*", 0).Iterator()
	for scan.Next(ctx) {
		keys++
	}
	check("scan", keys, 3, scan.Err())
	fmt.Println("ok")
}
