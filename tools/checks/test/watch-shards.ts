import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { definitionsOf } from '../src/sharding/databases.ts';
import { createShardingListener } from '../src/sharding/listener.ts';
import { watchCommands } from '../src/sharding/watch-commands.ts';

/**
 * The shardability check (decision 85): a test file fails if a service sends MongoDB a command that mongos would refuse, or that every shard
 * would execute without a declared reason. Every command of the process of an integration test is watched.
 *
 * With SHOPSCOPE_SHARD_SHAPES=FILE, the shapes of all commands of services are appended to the file.
 */
const symbol = Symbol.for('shopscope.sharding');
type Listener = ReturnType<typeof createShardingListener>;

/** The files of a worker share the driver, so they share one listener. */
const shared = globalThis as { [symbol]?: Listener };
shared[symbol] ??= install();
const listener = shared[symbol];

afterAll(async () => {
  const messages = await listener.takeMessages();
  if (messages.length === 0) return;
  const error = new Error(
    `${messages.length} commands do not suit a sharded cluster (decision 85):\n${messages.join('\n')}`,
  );
  // The messages name their places.
  error.stack = error.message;
  throw error;
});

function install(): Listener {
  const file = process.env.SHOPSCOPE_SHARD_SHAPES;
  const created = createShardingListener({
    root: fileURLToPath(new URL('../../../', import.meta.url)),
    definitionsOf,
    record: file ? (line) => appendFileSync(file, `${line}\n`) : undefined,
  });
  watchCommands(created.listen);
  return created;
}
