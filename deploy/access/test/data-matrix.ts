import { connectMongo } from '@shopscope/mongo';
import { createRedis, defineScript, type Redis } from '@shopscope/redis';
import { silentTelemetry, waitUntil } from '@shopscope/testing';
import { Redis as IoRedis } from 'ioredis';
import type { Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases, migrator, mongodbUsers } from '../src/mongodb.ts';
import { type RedisUser, redisUsers } from '../src/redis.ts';
import type { Secured } from './secured.ts';

const unauthorized = 13;

export function describeMongodbMatrix(secured: () => Secured): void {
  describe('MongoDB', () => {
    const connect = (user: string) => {
      const { stack, ca, passwordOf } = secured();
      return connectMongo({
        url: stack.mongodb.url,
        credentials: { username: user, password: passwordOf(user) },
        tls: { ca },
        database: 'none',
        appName: user,
        poolSize: 2,
        ...silentTelemetry(),
      });
    };
    const may = (attempt: Promise<unknown>) =>
      attempt.then(
        () => true,
        (error: { code?: number }) => {
          if (error.code === unauthorized) return false;
          throw error;
        },
      );
    /** What a user may do in a database. The probe exists when its schema is changed. */
    const rightsIn = async (db: Db) => {
      const probe = db.collection<{ n: number }>('probe');
      const rights = {
        read: await may(probe.findOne({})),
        write: await may(probe.insertOne({ n: 1 })),
        index: await may(probe.createIndex({ n: 1 })),
        validate: await may(db.command({ collMod: 'probe', validationLevel: 'off' })),
        drop: await may(probe.dropIndex('n_1')),
      };
      return Object.entries(rights).flatMap(([right, isGiven]) => (isGiven ? [right] : []));
    };

    it.each(mongodbUsers)('$user has exactly its rights in each database of MongoDB', async ({ user }) => {
      const mongo = await connect(user);
      const found: Record<string, string[]> = {};
      for (const name of [...Object.values(databases), 'admin']) found[name] = await rightsIn(mongo.client.db(name));
      await mongo.close();
      const own = Object.entries(databases).find(([service]) => service === user)?.[1];
      const rightsOf = (name: string) => {
        if (user === migrator) return name === 'admin' ? [] : ['index', 'validate'];
        return name === own ? ['read', 'write'] : [];
      };
      expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, rightsOf(name)])));
    });

    it('only the user of migrations sees the operations of the server, whose progress it reports', async () => {
      for (const user of ['keys', migrator]) {
        const mongo = await connect(user);
        const listing = mongo.client
          .db('admin')
          .aggregate([{ $currentOp: { allUsers: true } }], { readConcern: { level: 'local' } })
          .toArray();
        expect([user, await may(listing)]).toEqual([user, user === migrator]);
        await mongo.close();
      }
    });
  });
}

export function describeRedisLimits(secured: () => Secured): void {
  // The keys of the other user are foreign keys.
  const others = new Map(redisUsers.map(({ user }, n) => [user, redisUsers.at(n - 1) as RedisUser]));

  describe.each(redisUsers)('$user in Redis', ({ user, keyPrefix }) => {
    const own = `${keyPrefix}a`;
    const foreign = `${others.get(user)?.keyPrefix}a`;
    let redis: Redis;
    const copy = defineScript({ name: 'copy', lua: "return redis.call('SET', KEYS[1], ARGV[1])" });
    beforeAll(async () => {
      const { stack, ca, passwordOf } = secured();
      const credentials = { username: user, password: passwordOf(user) };
      const options = { url: stack.redis.url, tls: { ca }, credentials, ...silentTelemetry() };
      redis = createRedis({ ...options, keyPrefix: '', commandTimeoutMs: 5_000 });
      await waitUntil('Redis to be available', () => redis.available, { timeoutMs: 30_000 });
    });
    afterAll(() => redis?.close());

    it(`${user} accesses its own keys in Redis by commands and scripts`, async () => {
      await copy(redis, [own], ['1']);
      expect(await redis.client.get(own)).toBe('1');
    });

    it.each([
      ['a foreign key', () => redis.client.get(foreign)],
      ['a foreign key beside its own', () => redis.client.mget(own, foreign)],
      ['a foreign key in a script', () => redis.client.call('EVAL', `return redis.call('GET', '${foreign}')`, 0)],
      ['all keys', () => redis.client.call('KEYS', '*')],
      ['a scan of all keys', () => redis.client.call('SCAN', 0)],
      ['the deletion of all keys', () => redis.client.call('FLUSHALL')],
      ['the server configuration', () => redis.client.call('CONFIG', 'GET', '*')],
      ['the list of users', () => redis.client.call('ACL', 'LIST')],
      ['a transaction', () => redis.client.call('MULTI')],
      ['a blocking command', () => redis.client.call('BLPOP', `${keyPrefix}b`, 1)],
    ])(`${user} is refused %s in Redis`, async (_, attempt) => {
      await expect(attempt()).rejects.toThrow(/NOPERM|permissions|can't access/);
    });

    it(`the keys of ${user} in Redis are refused without credentials`, async () => {
      const { stack, ca } = secured();
      const stranger = new IoRedis(stack.redis.url, { tls: { ca }, lazyConnect: true, retryStrategy: () => null });
      stranger.on('error', () => {});
      await stranger.connect().catch(() => {});
      await expect(stranger.call('GET', own)).rejects.toThrow();
      stranger.disconnect();
    });
  });
}
