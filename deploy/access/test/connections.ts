import type { KafkaOptions } from '@shopscope/kafka';
import { connectMongo, type MongoOptions } from '@shopscope/mongo';
import { createRedis, type RedisOptions } from '@shopscope/redis';
import { silentTelemetry, startTcpProxy } from '@shopscope/testing';
import { describe, expect, it, vi } from 'vitest';
import type { Secured } from './secured.ts';

const slow = { timeout: 60_000, interval: 100 };

/** The connections that each server accepts, and those that the server or the client refuses. */
export function describeConnections(secured: () => Secured): void {
  const reachesKafka = async (over: Partial<KafkaOptions>) => {
    const kafka = secured().kafka('keys', over);
    return kafka.endOffsets('key-events.v1').finally(() => kafka.close());
  };
  const login = (password = secured().passwordOf('keys')) => ({ username: 'keys', password });

  describe('connection to Kafka', () => {
    it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)(
      'a connection to Kafka is accepted with the mechanism %s over TLS',
      async (mechanism) => {
        expect((await reachesKafka({ sasl: { mechanism, ...login() } })).size).toBe(3);
      },
    );

    it('a connection to Kafka is accepted through a proxy, because the certificate is checked against the advertised name', async () => {
      const proxy = await startTcpProxy(new URL(`tcp://${secured().stack.kafka.url}`));
      const dial = () => ({ host: 'localhost', port: proxy.port });
      expect((await reachesKafka({ dial })).size).toBe(3);
      expect(proxy.connections).toBeGreaterThan(0);
      await proxy.close();
    });

    it.each([
      ['a wrong password', () => ({ sasl: { mechanism: 'scram-sha-512' as const, ...login('wrong') } })],
      ['a wrong password by PLAIN', () => ({ sasl: { mechanism: 'plain' as const, ...login('wrong') } })],
      ['an authority that did not sign it', () => ({ tls: { ca: secured().strangerCa } })],
      ['the public authorities', () => ({ tls: {} })],
    ])('a connection to Kafka is refused with %s', async (_, over) => {
      await expect(reachesKafka(over())).rejects.toThrow();
    });
  });

  describe('connection to MongoDB', () => {
    const reaches = async (over: Partial<MongoOptions>) => {
      const own = { database: 'keys', appName: 'test', poolSize: 1, startTimeoutMs: 0, ...silentTelemetry() };
      const mongo = await connectMongo({
        url: secured().stack.mongodb.url,
        tls: { ca: secured().ca },
        ...own,
        ...over,
      });
      return mongo.ping().finally(() => mongo.close());
    };
    const urlWithLogin = () => {
      const { username, password } = login();
      return secured().stack.mongodb.url.replace('//', `//${username}:${password}@`);
    };

    it('a connection to MongoDB is accepted with credentials in the URL and with separate credentials', async () => {
      await vi.waitFor(() => reaches({ credentials: login() }), slow);
      await vi.waitFor(() => reaches({ url: urlWithLogin() }), slow);
    });

    // The driver tries for some seconds to reach a server that it does not trust.
    it.concurrent.each([
      ['a wrong password', () => ({ credentials: login('wrong') })],
      ['an authority that did not sign it', () => ({ url: urlWithLogin(), tls: { ca: secured().strangerCa } })],
      ['no TLS', () => ({ url: urlWithLogin().replace('&tls=true', ''), tls: {} })],
    ])('a connection to MongoDB is refused with %s', async (_, over) => {
      await expect(reaches(over())).rejects.toThrow();
    });
  });

  describe('connection to Redis', () => {
    const login = (password = secured().passwordOf('gateway')) => ({ username: 'gateway', password });
    /** The reason of a refusal by server or client, if there is one. A timeout of a slow machine is not a refusal. */
    const refusal = async (over: Partial<RedisOptions>) => {
      const { stack, ca } = secured();
      const redis = createRedis({
        url: stack.redis.url,
        keyPrefix: 'shopscope:',
        tls: { ca },
        ...silentTelemetry(),
        ...over,
      });
      let reason: string | undefined;
      redis.client.on('error', ({ message }) => {
        if (/WRONGPASS|certificate/.test(message)) reason = message;
      });
      const outcome = async () => reason ?? (await redis.client.get('a').then(() => 'none'));
      return vi.waitFor(outcome, slow).finally(() => redis.close());
    };

    it('a connection to Redis is accepted with credentials in the URL and with separate credentials', async () => {
      const { username, password } = login();
      const url = secured().stack.redis.url.replace('//', `//${username}:${password}@`);
      expect(await refusal({ credentials: login() })).toBe('none');
      expect(await refusal({ url })).toBe('none');
    });

    it.each([
      ['a wrong password', () => ({ credentials: login('wrong') }), 'WRONGPASS'],
      ['an authority that did not sign it', () => ({ tls: { ca: secured().strangerCa } }), 'certificate'],
    ])('a connection to Redis is refused with %s', async (_, over, reason) => {
      expect(await refusal(over())).toContain(reason);
    });
  });
}
