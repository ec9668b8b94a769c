import { ManualClock } from '@shopscope/clock';
import { KeyStatus } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { by, createHarness, digestOf, type KeysClient, type KeysHarness, newKey, newWorkspace } from './harness.ts';

describe('environments of keys', () => {
  const clock = new ManualClock();
  let harness: KeysHarness;
  let client: KeysClient;
  let workspaceId: string;

  beforeAll(async () => {
    harness = await createHarness('key-environments', clock);
    client = (await harness.start()).client;
  });
  afterAll(() => harness?.stop());
  beforeEach(async () => {
    workspaceId = await newWorkspace(client);
  });

  const create = async (environment?: string) => {
    clock.advance(1);
    return newKey(client, workspaceId, environment === undefined ? {} : { environment });
  };
  const listed = async (request: object) =>
    (await client.listKeys({ workspaceId, includeInactive: true, ...request })).keys.map(({ id }) => id);

  it('a key belongs to the environment of its request, its tag and VerifyKey say which, and a key without one is live', async () => {
    for (const [environment, expected] of [
      [undefined, 'live'],
      ['live', 'live'],
      ['test', 'test'],
    ] as const) {
      const { secret } = await create(environment);
      expect(secret).toMatch(new RegExp(`^svc_${expected}_`));
      const { status, key } = await client.verifyKey(digestOf(secret));
      expect(status).toBe(KeyStatus.ACTIVE);
      expect(key).toMatchObject({ environment: expected, prefix: secret.slice(0, 13) });
    }
  });

  it.each(['Test', 'staging', 'live '])(
    'an unknown environment %j of a key is refused by its name',
    async (environment) => {
      const refused = { code: 'invalid_request', publicMessage: 'environment: must be live or test' };
      await expect(create(environment)).rejects.toMatchObject(refused);
      await expect(listed({ environment })).rejects.toMatchObject(refused);
      await expect(
        client.issueDashboardKey({ workspaceId, switchOn: false, ...by, environment }),
      ).rejects.toMatchObject(refused);
    },
  );

  it('lists and pages of keys have the keys of one environment, or of both', async () => {
    const live = [await create(), await create()].map(({ id }) => id);
    const test = [await create('test'), await create('test'), await create('test')].map(({ id }) => id);
    expect(await listed({ environment: 'live' })).toEqual(live);
    expect(await listed({ environment: 'test' })).toEqual(test);
    expect(await listed({})).toEqual([...live, ...test]);
    expect(await listed({ environment: 'live', limit: 10 })).toEqual(live.toReversed());
    for (const keyId of [live[0], test[0], test[1]]) {
      clock.advance(1);
      await client.revokeKey({ workspaceId, keyId: keyId ?? '', ...by });
    }
    expect(await listed({ environment: 'test', limit: 10, revoked: true })).toEqual([test[1], test[0]]);
    expect(await listed({ environment: 'test', includeInactive: false })).toEqual([test[2]]);
    const first = await client.listKeys({
      workspaceId,
      includeInactive: false,
      environment: 'test',
      limit: 1,
      revoked: true,
    });
    expect(first.keys.map(({ id }) => id)).toEqual([test[1]]);
    const next = { environment: 'test', limit: 1, revoked: true, position: first.nextPosition };
    expect(await listed(next)).toEqual([test[0]]);
  });
});
