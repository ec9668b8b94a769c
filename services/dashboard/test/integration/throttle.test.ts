import { resolve } from 'node:path';
import { startTemporaryCluster } from '@shopscope/local-stack';
import { createRedis } from '@shopscope/redis';
import { redisOptions, testNamespace, waitUntil } from '@shopscope/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../src/app/domain/throttle-limits.ts';
import { createThrottle, type Throttle } from '../../src/app/outbound/throttle.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => system.stop());

type Browser = ReturnType<TestSystem['anonymous']>;

const tryToSignIn = async (browser: Browser, email: string, password: string, address: string) =>
  browser.submit('/sign-in', { email, password }, { Origin: system.url, 'X-Forwarded-For': address });

async function guess(email: string, times: number, addressOf: (attempt: number) => string) {
  const statuses: number[] = [];
  for (let attempt = 0; attempt < times; attempt++) {
    const answer = await tryToSignIn(system.anonymous(), email, 'a wrong password', addressOf(attempt));
    statuses.push(answer.status);
  }
  return statuses;
}

describe('throttle of sign-ins', () => {
  it('the throttle of sign-ins refuses the eleventh wrong password from one address, with the waiting time', async () => {
    const ann = await system.person('Ann');
    expect(await guess(ann.email, 10, () => '192.0.2.1')).toEqual(Array(10).fill(401));
    const refused = await tryToSignIn(system.anonymous(), ann.email, ann.password, '192.0.2.1');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.text()).toMatch(/Try again in \d+ (seconds|minutes)\./);
    // Another address is not concerned.
    expect((await tryToSignIn(system.anonymous(), ann.email, ann.password, '192.0.2.2')).status).toBe(302);
  });

  it('the throttle of sign-ins does not count successful sign-ins', async () => {
    const ben = await system.person('Ben');
    for (let i = 0; i < 12; i++) {
      expect((await tryToSignIn(system.anonymous(), ben.email, ben.password, '192.0.2.3')).status).toBe(302);
    }
  });

  it('the throttle of sign-ins counts an address without an account in the same way', async () => {
    const statuses = await guess('nobody@example.com', 11, () => '192.0.2.4');
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  });

  it('the throttle locks no person out of a browser that has signed in before, whatever strangers do', async () => {
    const cas = await system.person('Cas');
    const own = system.anonymous();
    expect((await tryToSignIn(own, cas.email, cas.password, '192.0.2.5')).status).toBe(302);
    await own.submit('/sign-out', {});
    const statuses = await guess(cas.email, 52, (attempt) => `198.51.100.${attempt}`);
    expect(statuses.slice(50)).toEqual([429, 429]);
    // An unknown browser has to wait. The person's own browser does not.
    expect((await tryToSignIn(system.anonymous(), cas.email, cas.password, '203.0.113.1')).status).toBe(429);
    expect((await tryToSignIn(own, cas.email, cas.password, '203.0.113.1')).status).toBe(302);
  });

  it('the throttle does not let one address use up the attempts of an account for all other addresses', async () => {
    const ida = await system.person('Ida');
    const statuses = await guess(ida.email, 60, () => '192.0.2.8');
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(50).fill(429)]);
    expect((await tryToSignIn(system.anonymous(), ida.email, ida.password, '203.0.113.2')).status).toBe(302);
  });

  it('the throttle of sign-ins binds the cookie of a known browser to its account', async () => {
    const [dan, eve] = [await system.person('Dan'), await system.person('Eve')];
    const browser = system.anonymous();
    const answer = await tryToSignIn(browser, dan.email, dan.password, '192.0.2.6');
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('__Host-shopscope.device='));
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(attribute);
    await browser.submit('/sign-out', {});
    await guess(eve.email, 10, () => '192.0.2.6');
    expect((await tryToSignIn(browser, eve.email, eve.password, '192.0.2.6')).status).toBe(429);
  });

  it('the throttle of sign-ins lets a person in again after a reset of the password', async () => {
    const fay = await system.person('Fay');
    await guess(fay.email, 11, () => '192.0.2.7');
    const browser = system.anonymous();
    const headers = { Origin: system.url, 'X-Forwarded-For': '192.0.2.7' };
    await browser.submit('/forgot-password', { email: fay.email }, headers);
    const path = await system.mailedLink(fay.email);
    const token = new URL(path, system.url).searchParams.get('token') as string;
    const password = 'a completely new password';
    expect((await browser.submit(path, { token, password }, headers)).status).toBe(302);
    expect((await tryToSignIn(browser, fay.email, password, '192.0.2.7')).status).toBe(302);
  });
});

describe('throttle without Redis', () => {
  it('the throttle without Redis counts in the memory of the process', async () => {
    const alone = await startTestSystem({ REDIS_URL: 'redis://127.0.0.1:1' }, system.services);
    try {
      const statuses: number[] = [];
      for (let i = 0; i < 11; i++) {
        const fields = { email: 'nobody@example.com', password: 'a wrong password' };
        statuses.push((await alone.anonymous().submit('/sign-in', fields)).status);
      }
      expect(statuses).toEqual([...Array(10).fill(401), 429]);
    } finally {
      await alone.stop();
    }
  });
});

describe('throttle of mails', () => {
  it('the throttle of mails sends at most five reset mails per hour to one address, and says nothing about it', async () => {
    const gus = await system.person('Gus');
    const statuses = [];
    for (let i = 0; i < 7; i++) {
      const headers = { Origin: system.url, 'X-Forwarded-For': `203.0.113.${i}` };
      statuses.push((await system.anonymous().submit('/forgot-password', { email: gus.email }, headers)).status);
    }
    expect(statuses).toEqual(Array(7).fill(200));
    expect(await system.mails(gus.email, 5)).toHaveLength(5);
  });

  it('the throttle of mails counts the addresses of one mailbox together, in every kind of mail', async () => {
    const accounts = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        const person = await system.person(`Tag ${n}`);
        const email = `tags+${n}@example.com`;
        await system.db.collection('user').updateOne({ _id: person.id as never }, { $set: { email } });
        return email;
      }),
    );
    for (const [n, email] of accounts.entries()) {
      const headers = { Origin: system.url, 'X-Forwarded-For': `203.0.113.${100 + n}` };
      expect((await system.anonymous().submit('/forgot-password', { email }, headers)).status).toBe(200);
    }
    for (const email of accounts.slice(0, 5)) expect(await system.mails(email)).toHaveLength(1);
    // The mail of another mailbox that was asked for later has been sent.
    const last = await system.person('Last');
    await system.anonymous().submit('/forgot-password', { email: last.email });
    await system.mails(last.email);
    expect(await system.db.collection('development_mails').countDocuments({ to: 'tags+5@example.com' })).toBe(0);
  });

  it.each(['/forgot-password', '/verify'])(
    'the throttle of mails counts no request at %s that sends no mail, so that nobody uses up the mails of another person',
    async (path) => {
      const person = await system.person(`Mailed at ${path}`);
      const [name = '', domain = ''] = person.email.split('@');
      await system.db.collection('user').updateOne({ _id: person.id as never }, { $set: { emailVerified: false } });
      const ask = async (email: string, n: number) => {
        const headers = { Origin: system.url, 'X-Forwarded-For': `203.0.113.${150 + n}` };
        const form = path === '/verify' ? { intent: 'resend', email } : { email };
        expect((await system.anonymous().submit(path, form, headers)).status).toBe(200);
      };
      for (let n = 0; n < 5; n++) await ask(`${name}+${n}@${domain}`, n);
      await ask(person.email, 6);
      expect(await system.mails(person.email)).toHaveLength(1);
    },
  );

  it('the throttle of mails refuses the 31st request of one address', async () => {
    const headers = { Origin: system.url, 'X-Forwarded-For': '203.0.113.99' };
    const statuses = [];
    for (let i = 0; i < 31; i++) {
      const email = `nobody-${i}@example.com`;
      statuses.push((await system.anonymous().submit('/forgot-password', { email }, headers)).status);
    }
    expect(statuses).toEqual([...Array(30).fill(200), 429]);
  });
});

describe('attempts under a limit', () => {
  it('an attempt under a limit is counted for all instances together, and is taken back in all of them', async () => {
    const namespace = testNamespace('throttle');
    const connections = [createRedis(redisOptions(namespace)), createRedis(redisOptions(namespace))];
    try {
      await waitUntil('Redis', () => connections.every(({ available }) => available));
      const [one, other] = connections.map(createThrottle) as [Throttle, Throttle];
      const count = [limits.signInOfDevice, 'a device'] as const;
      for (let attempt = 0; attempt < 5; attempt++) {
        expect([await one.allows(count), await other.allows(count)]).toEqual([true, true]);
      }
      expect([await one.allows(count), await other.allows(count)]).toEqual([false, false]);
      const spare = [limits.signInOfDevice, 'another device'] as const;
      for (let attempt = 0; attempt < 20; attempt++) await one.guard([spare], async () => 'succeeded');
      expect(await other.allows(spare)).toBe(true);
    } finally {
      for (const redis of connections) await redis.close();
      await namespace.cleanup();
    }
  });

  it('an attempt under a limit is counted in Redis Cluster, whatever the slot of its key', async () => {
    const nodes = await startTemporaryCluster(resolve(process.env.SHOPSCOPE_CACHE_DIR ?? '.local/cache'));
    const { url: _, ...options } = redisOptions(testNamespace('throttle'));
    // After a command timeout an instance would count in its own memory.
    const patient = { ...options, cluster: nodes.addresses, commandTimeoutMs: 60_000 };
    const connections = [1, 2].map(() => createRedis(patient));
    try {
      await waitUntil('Redis', () => connections.every(({ available }) => available));
      const [one, other] = connections.map(createThrottle) as [Throttle, Throttle];
      for (const device of ['a', 'b', 'c', 'd', 'e', 'f']) {
        const count = [limits.signInOfDevice, device] as const;
        for (let attempt = 0; attempt < 5; attempt++) {
          expect([await one.allows(count), await other.allows(count)]).toEqual([true, true]);
        }
        expect(await one.allows(count)).toBe(false);
      }
    } finally {
      for (const redis of connections) await redis.close();
      await nodes.stop();
    }
  });

  it('an attempt under a limit is counted beside a command of the same moment', async () => {
    const redis = createRedis(redisOptions(testNamespace('throttle')));
    try {
      const throttle = createThrottle(redis);
      await waitUntil('Redis', () => redis.available);
      const answers = await Promise.all([
        redis.client.ping(),
        ...Array.from({ length: 11 }, () => throttle.allows([limits.signInOfDevice, 'a device'])),
      ]);
      expect(answers).toEqual(['PONG', ...Array(10).fill(true), false]);
    } finally {
      await redis.close();
    }
  });
});
