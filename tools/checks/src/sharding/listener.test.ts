import type { CollectionDefinitions } from '@shopscope/mongo';
import { expect, it } from 'vitest';
import { callerIn, isIgnored } from './caller.ts';
import { declarationFaults } from './declarations.ts';
import { createShardingListener } from './listener.ts';

const definitions: CollectionDefinitions = {
  lists: { indexes: [], shardKey: { workspaceId: 1 }, uniqueId: 'random' },
  plans: { indexes: [], unsharded: 'some documents' },
};

/** This test is the only caller, and tests are ignored: with another root, its commands have no known caller. */
function listenTo(root: string, record?: (line: string) => void) {
  const listener = createShardingListener({ root, definitionsOf: async () => definitions, record });
  const find = (databaseName: string, collection: string, filter: object) =>
    listener.listen({ databaseName, commandName: 'find', command: { find: collection, filter } });
  return { listener, find };
}

it('a command of a service that every shard executes gives one message with its shape and no values', async () => {
  const { listener, find } = listenTo('/nowhere/');
  for (const name of ['shoes', 'hats']) find('rescans-0a1b2c3d_subscriptions', 'lists', { name });
  find('subscriptions', 'lists', { workspaceId: 'ws_1' });
  const [message, ...others] = await listener.takeMessages();
  expect(message).toContain('subscriptions.lists: find { name= }\n  every shard executes it');
  expect(message).not.toContain('shoes');
  expect(others).toEqual([]);
  expect(await listener.takeMessages()).toEqual([]);
});

it('a command that reads a sharded collection in addition gives a message after one that reads another collection', async () => {
  const { listener } = listenTo('/nowhere/');
  for (const from of ['plans', 'lists']) {
    const $lookup = { from, localField: 'ws', foreignField: 'workspaceId', as: 'joined' };
    const command = { aggregate: 'plans', pipeline: [{ $lookup }], autocommit: false };
    listener.listen({ databaseName: 'subscriptions', commandName: 'aggregate', command });
  }
  expect(await listener.takeMessages()).toEqual([expect.stringContaining('$lookup in a transaction must not read')]);
});

it('a command on a collection without declaration gives a message', async () => {
  const { listener, find } = listenTo('/nowhere/');
  find('subscriptions', 'new_collection', {});
  expect(await listener.takeMessages()).toEqual([expect.stringContaining('the service has to declare the collection')]);
});

it('a service that uses a database of another name gives a message', async () => {
  const { listener, find } = listenTo('/nowhere/');
  const path = '/nowhere/services/metering/src/outbound/mongo/ledger.ts';
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = ({ message }) => `Error: ${message}\n    at find (${path}:3:3)`;
  try {
    for (const name of ['shoes', 'hats']) find('connect-0a1b2c3d_transactions', 'lists', { name });
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
  expect(await listener.takeMessages()).toEqual([
    expect.stringMatching(/must end with the name of a service\n {2}at services\/metering\/.*ledger\.ts:3$/),
  ]);
});

it('a database of no service is ignored unless a service uses it', async () => {
  const { listener, find } = listenTo('/nowhere/');
  find('connect-0a1b2c3d_transactions', 'lists', {});
  expect(await listener.takeMessages()).toEqual([]);
});

it('a command of a test is ignored', async () => {
  const { listener, find } = listenTo(new URL('../../../../', import.meta.url).pathname);
  find('subscriptions', 'lists', {});
  await listener.takeMessages();
  find('subscriptions', 'lists', {});
  expect(await listener.takeMessages()).toEqual([]);
});

it('a recorder gets each shape of a service once', async () => {
  const lines: string[] = [];
  const { listener, find } = listenTo('/nowhere/', (line) => lines.push(line));
  for (const id of ['ws_1', 'ws_2']) find('subscriptions', 'lists', { workspaceId: id });
  await listener.takeMessages();
  expect(lines).toEqual(['subscriptions.lists: find { workspaceId= }  an unknown place']);
});

it('the caller of a command is the nearest line that does not only pass it on', () => {
  const stack = [
    'Error: stack',
    '    at MongoClient.listen (/r/tools/checks/src/sharding/listener.ts:1:1)',
    '    at async Collection.find (/r/node_modules/mongodb/lib/collection.js:2:2)',
    '    at async withTransaction (/r/libs/mongo/src/transaction.ts:82:24)',
    '    at async Object.search (file:///r/services/keys/src/outbound/mongo/keys.ts:3:3)',
    '    at async /r/services/keys/test/integration/keys.test.ts:4:4',
  ].join('\n');
  const caller = callerIn(stack, '/r/');
  expect(caller).toEqual({ path: 'services/keys/src/outbound/mongo/keys.ts', line: '3' });
  expect(caller && isIgnored(caller)).toBe(false);
  expect(isIgnored({ path: 'services/keys/test/integration/keys.test.ts', line: '4' })).toBe(true);
});

it('a declaration needs a unique index that begins with its key, a reason for each exception, and no range key that grows', () => {
  const unique = (key: Record<string, 1>) => [{ key, options: { unique: true } }];
  const byDomain = { shardKey: { domain: 1 }, uniqueId: 'random' } as const;
  const byId = { shardKey: { _id: 1 }, idBegins: 'domain' } as const;
  expect(declarationFaults(Object.assign({ indexes: unique({ domain: 1, b: 1 }) }, byDomain))).toEqual([]);
  expect(declarationFaults(Object.assign({ indexes: [] }, byId))).toEqual([]);
  expect(declarationFaults(Object.assign({ indexes: unique({ b: 1 }) }, byId))).toHaveLength(1);
  expect(declarationFaults({ indexes: unique({ _id: 1, b: 1 }), shardKey: { _id: 'hashed' } })).toHaveLength(1);
  expect(declarationFaults({ indexes: [], shardKey: { domain: 1 } })).toHaveLength(1);
  expect(declarationFaults({ indexes: [], shardKey: { _id: 1 } })).toHaveLength(1);
  expect(declarationFaults({ indexes: [], shardKey: { jobId: 1, _id: 1 } })).toHaveLength(1);
  expect(declarationFaults({ indexes: [], shardKey: { createdAt: 1, _id: 1 } })).toHaveLength(1);
  expect(declarationFaults(Object.assign({ indexes: [], scatters: { 'find *': '' } }, byId))).toHaveLength(1);
  expect(declarationFaults({ indexes: [], unsharded: '' })).toHaveLength(1);
});
