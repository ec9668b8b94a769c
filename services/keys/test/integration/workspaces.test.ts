import { ManualClock } from '@shopscope/clock';
import { KeyStatus } from '@shopscope/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  actor,
  createHarness,
  digestOf,
  type KeysClient,
  type KeysHarness,
  newKey,
  newWorkspace,
  statusOf,
} from './harness.ts';

describe('workspaces', () => {
  const clock = new ManualClock();
  let keys: KeysHarness;
  let client: KeysClient;
  let other: KeysClient;

  beforeAll(async () => {
    keys = await createHarness('workspaces', clock);
    client = (await keys.start()).client;
    other = (await keys.start()).client;
  });
  afterAll(() => keys?.stop());

  const workspaceWithKey = async (name: string) => {
    const workspaceId = await newWorkspace(client, { name });
    const { id: keyId, secret } = await newKey(client, workspaceId);
    return { workspaceId, secret, keyId };
  };
  const status = (secret: string) => statusOf(client, secret);
  const setUp = (of: KeysClient, name: string) =>
    of.setUpWorkspace({ name, planSlug: 'free', label: 'first', preset: 'full', scopes: [], actor });

  it('a set-up finds the oldest workspace of its name', async () => {
    const created: string[] = [];
    for (let n = 0; n < 8; n++) {
      clock.advance(1);
      created.push(await newWorkspace(client, { name: 'Eight' }));
    }
    expect(await setUp(client, 'Eight')).toMatchObject({ created: false, workspace: { id: created[0] } });
  });

  it('a suspended workspace has no usable key until it is resumed', async () => {
    const { workspaceId, secret } = await workspaceWithKey('Suspended');
    const { secret: stranger } = await workspaceWithKey('Stranger');
    const { workspace } = await client.suspendWorkspace({ workspaceId, actor });
    expect(workspace?.suspendedAtMs).toBe(clock.now());
    const answer = await client.verifyKey(digestOf(secret));
    expect(answer).toMatchObject({ status: KeyStatus.SUSPENDED, key: undefined, workspace: undefined });
    expect(await status(stranger)).toBe(KeyStatus.ACTIVE);
    const { secret: created } = await newKey(client, workspaceId);
    expect(await status(created)).toBe(KeyStatus.SUSPENDED);
    const resumed = await client.resumeWorkspace({ workspaceId, actor });
    expect(resumed.workspace?.suspendedAtMs).toBeUndefined();
    expect([await status(secret), await status(created)]).toEqual([KeyStatus.ACTIVE, KeyStatus.ACTIVE]);
  });

  it('repeated suspensions and resumptions leave one audit entry each', async () => {
    const { workspaceId } = await workspaceWithKey('Audited');
    clock.advance(1);
    const first = await client.suspendWorkspace({ workspaceId, actor: 'operator:first' });
    clock.advance(1);
    const second = await client.suspendWorkspace({ workspaceId, actor: 'operator:second' });
    expect(second.workspace).toEqual(first.workspace);
    clock.advance(1);
    for (let n = 0; n < 2; n++) await client.resumeWorkspace({ workspaceId, actor });
    const { entries } = await client.listAuditEntries({ workspaceId, beforeId: '', limit: 2 });
    expect(entries.map(({ action, actor: by }) => [action, by])).toEqual([
      ['workspace.resumed', actor],
      ['workspace.suspended', 'operator:first'],
    ]);
  });

  it('a workspace that does not exist is neither suspended nor resumed', async () => {
    for (const attempt of [client.suspendWorkspace, client.resumeWorkspace]) {
      await expect(attempt({ workspaceId: 'ws_none', actor })).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('a second set-up of the same name changes nothing and returns no secret', async () => {
    const first = await setUp(client, 'Home');
    expect(first).toMatchObject({ created: true, workspace: { name: 'Home', planSlug: 'free' } });
    expect(await status(first.secret)).toBe(KeyStatus.ACTIVE);
    const second = await setUp(client, ' Home ');
    expect(second).toEqual({ workspace: first.workspace, created: false, key: undefined, secret: '' });
  });

  it('concurrent set-ups of one name create one workspace with one key', async () => {
    const done = await Promise.all(Array.from({ length: 8 }, (_, n) => setUp(n % 2 ? client : other, 'Crowd')));
    expect(done.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(done.map(({ workspace }) => workspace?.id)).size).toBe(1);
    const workspaceId = done[0]?.workspace?.id ?? '';
    expect(await keys.db.collection('keys').countDocuments({ workspaceId })).toBe(1);
  });

  it('a refused set-up creates neither the workspace nor its key', async () => {
    const request = { name: 'Partial', planSlug: 'free', label: 'first', preset: 'full', scopes: [], actor };
    for (const [wrong, field] of [
      [{ planSlug: 'none' }, /^plan_slug.*"none".*free/],
      [{ preset: '' }, /^scopes.*preset/],
    ] as const) {
      await expect(client.setUpWorkspace({ ...request, ...wrong })).rejects.toMatchObject({
        code: 'invalid_request',
        publicMessage: expect.stringMatching(field),
      });
    }
    expect(await keys.db.collection('workspaces').countDocuments({ name: 'Partial' })).toBe(0);
  });

  it('GetKey returns a key of the workspace and none of another workspace', async () => {
    const { workspaceId, keyId } = await workspaceWithKey('Owner');
    const { workspaceId: stranger } = await workspaceWithKey('Other');
    const { key } = await client.getKey({ workspaceId, keyId });
    expect(key).toMatchObject({ id: keyId, status: KeyStatus.ACTIVE, label: 'ci' });
    await expect(client.getKey({ workspaceId: stranger, keyId })).rejects.toMatchObject({ code: 'not_found' });
  });
});
