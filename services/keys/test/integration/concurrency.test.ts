import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { KeyChange, KeyStatus } from '@shopscope/proto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Dependencies } from '../../src/operations/dependencies.ts';
import { verifyKey } from '../../src/operations/verify-key.ts';
import { createKeyStore } from '../../src/outbound/mongo/keys.ts';
import { createPlanStore } from '../../src/outbound/mongo/plans.ts';
import { createWorkspaceStore } from '../../src/outbound/mongo/workspaces.ts';
import {
  actor,
  createHarness,
  digestOf,
  type KeysClient,
  type KeysHarness,
  newKey,
  newWorkspace,
  pepper,
  statusOf,
} from './harness.ts';
import { eventsOf } from './rpcs.ts';

describe('concurrent calls', () => {
  const clock = new ManualClock();
  let harness: KeysHarness;
  let clients: [KeysClient, KeysClient];
  let workspaceId: string;

  beforeAll(async () => {
    harness = await createHarness('concurrency', clock, { holdOutbox: true });
    clients = [(await harness.start()).client, (await harness.start()).client];
  });
  afterAll(() => harness?.stop());
  beforeEach(async () => {
    workspaceId = await newWorkspace(clients[0]);
  });

  /** Makes `count` calls at the same time, alternating between the instances. */
  const many = <T>(count: number, one: (client: KeysClient, n: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => one(clients[n % 2] as KeysClient, n)));
  const eventsHere = async () => (await eventsOf(harness.db)).filter((event) => event.workspaceId === workspaceId);
  const auditedHere = async () => {
    const { entries } = await clients[0].listAuditEntries({ workspaceId, beforeId: '', limit: 200 });
    return entries.filter(({ action }) => action !== 'workspace.created' && action !== 'key.created');
  };

  /**
   * Runs verifications without a pause while `change` runs and for a while after its answer. Returns the results of the
   * verifications that began before the answer, and of those that began after it.
   */
  const verifyDuring = async (secret: string, through: readonly KeysClient[], change: () => Promise<unknown>) => {
    const seen = { before: new Set<KeyStatus>(), after: new Set<KeyStatus>() };
    let answered = false;
    const verify = async (client: KeysClient) => {
      for (let after = 0; after < 5; ) {
        const beganAfter = answered;
        if (beganAfter) after++;
        seen[beganAfter ? 'after' : 'before'].add(await statusOf(client, secret));
      }
    };
    for (const client of through) seen.before.add(await statusOf(client, secret));
    const verifications = Promise.all(
      Array.from({ length: 8 }, (_, n) => verify(through[n % through.length] as KeysClient)),
    );
    await change();
    answered = true;
    await verifications;
    return seen;
  };

  it('no verification that begins after the answer of RevokeKey finds the key active', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, secret } = await newKey(clients[0], workspaceId);
      const seen = await verifyDuring(secret, clients, () =>
        clients[0].revokeKey({ workspaceId, keyId: id, actor, actorAddress: '' }),
      );
      expect(seen.before).toContain(KeyStatus.ACTIVE);
      expect(seen.before.difference(new Set([KeyStatus.ACTIVE, KeyStatus.REVOKED]))).toEqual(new Set());
      expect(seen.after).toEqual(new Set([KeyStatus.REVOKED]));
    }
  });

  it('no verification that begins after the answer of RevokeKey finds the key active while it moves to another pepper', async () => {
    const next = { KEY_PEPPERS: `2:the-next-development-pepper-of-32-characters,1:${pepper}` };
    const rotating = await Promise.all([harness.start(next), harness.start(next)]);
    const through = rotating.map(({ client }) => client);
    for (let round = 0; round < 5; round++) {
      const { id, secret } = await newKey(clients[0], workspaceId);
      const seen = await verifyDuring(secret, through, () =>
        clients[0].revokeKey({ workspaceId, keyId: id, actor, actorAddress: '' }),
      );
      expect(seen.before).toContain(KeyStatus.ACTIVE);
      expect(seen.after).toEqual(new Set([KeyStatus.REVOKED]));
    }
    for (const instance of rotating) await instance.stop();
  });

  it('no verification that begins after the answer of SuspendWorkspace finds the key active', async () => {
    const { secret } = await newKey(clients[0], workspaceId);
    for (let round = 0; round < 4; round++) {
      const seen = await verifyDuring(secret, clients, () => clients[1].suspendWorkspace({ workspaceId, actor }));
      expect(seen.after).toEqual(new Set([KeyStatus.SUSPENDED]));
      const resumed = await verifyDuring(secret, clients, () => clients[1].resumeWorkspace({ workspaceId, actor }));
      expect(resumed.after).toEqual(new Set([KeyStatus.ACTIVE]));
    }
  });

  it('several revocations of one key change it once and write one audit entry', async () => {
    const { id } = await newKey(clients[0], workspaceId);
    const answers = await many(12, (client, n) =>
      client.revokeKey({ workspaceId, keyId: id, actor: `operator:${n}`, actorAddress: '' }),
    );
    for (const { key } of answers) expect(key).toEqual(answers[0]?.key);
    expect(answers[0]?.key).toMatchObject({ id, status: KeyStatus.REVOKED, revokedAtMs: clock.now() });
    expect(await auditedHere()).toMatchObject([{ action: 'key.revoked', subjectId: id }]);
    // Each call adds one event, for a cache that missed an earlier one.
    const events = (await eventsHere()).filter(({ change }) => change === KeyChange.KEY_REVOKED);
    expect(events.map(({ keyId }) => keyId)).toEqual(Array(12).fill(id));
  });

  it('several revocations of different keys all take effect', async () => {
    const keys = await many(8, (client) => newKey(client, workspaceId));
    await many(8, (client, n) => client.revokeKey({ workspaceId, keyId: keys[n]?.id ?? '', actor, actorAddress: '' }));
    expect(await many(8, (client, n) => statusOf(client, keys[n]?.secret ?? ''))).toEqual(
      Array(8).fill(KeyStatus.REVOKED),
    );
    expect((await auditedHere()).map(({ subjectId }) => subjectId).sort()).toEqual(keys.map(({ id }) => id).sort());
  });

  it('a change of plan and a suspension that run concurrently are both kept', async () => {
    for (const planSlug of ['growth', 'scale', 'starter', 'growth', 'scale', 'starter']) {
      await Promise.all([
        many(2, (client) => client.setWorkspacePlan({ workspaceId, planSlug, actor })),
        many(4, (client) => client.suspendWorkspace({ workspaceId, actor })),
      ]);
      expect((await clients[0].getWorkspace({ workspaceId })).workspace).toMatchObject({
        planSlug,
        suspendedAtMs: clock.now(),
      });
      await Promise.all([
        many(2, (client) => client.setWorkspacePlan({ workspaceId, planSlug: 'free', actor })),
        many(4, (client) => client.resumeWorkspace({ workspaceId, actor })),
      ]);
      const { workspace } = await clients[0].getWorkspace({ workspaceId });
      expect(workspace).toMatchObject({ planSlug: 'free', suspendedAtMs: undefined });
    }
  });

  it('the last event of several changes of plan names the plan of the workspace', async () => {
    const slugs = ['free', 'starter', 'growth', 'scale'];
    for (let round = 0; round < 4; round++) {
      await many(slugs.length, (client, n) =>
        client.setWorkspacePlan({ workspaceId, planSlug: slugs[n] ?? '', actor }),
      );
      const { workspace, plan } = await clients[0].getWorkspace({ workspaceId });
      expect(plan?.slug).toBe(workspace?.planSlug);
      const published = (await eventsHere()).slice(-slugs.length).map(({ planSlug }) => planSlug);
      expect(published.toSorted()).toEqual(slugs.toSorted());
      expect(published.at(-1)).toBe(workspace?.planSlug);
    }
    expect(await auditedHere()).toHaveLength(4 * slugs.length);
  });

  it('the audit log of suspensions and resumptions agrees with the state of the workspace', async () => {
    for (let round = 0; round < 4; round++) {
      await many(8, (client, n) =>
        (n % 4 < 2 ? client.suspendWorkspace : client.resumeWorkspace)({ workspaceId, actor }),
      );
      const { workspace } = await clients[0].getWorkspace({ workspaceId });
      const count = async (of: string) => (await auditedHere()).filter(({ action }) => action === of).length;
      const open = (await count('workspace.suspended')) - (await count('workspace.resumed'));
      expect(open).toBe(workspace?.suspendedAtMs === undefined ? 0 : 1);
    }
  });

  it('several changes of one plan keep every member that one of them sets', async () => {
    const { plans } = await clients[0].listPlans({});
    await clients[0].createPlan({ plan: { ...(plans[0] as (typeof plans)[0]), slug: 'changed' }, actor });
    const changes = [{ rpm: 11 }, { concurrency: 12 }, { historyDays: 13 }, { lookupCached: 14 }, { lookupLive: 15 }];
    await many(changes.length, (client, n) => client.updatePlan({ slug: 'changed', actor, ...changes[n] }));
    const changed = (await clients[0].listPlans({})).plans.find(({ slug }) => slug === 'changed');
    expect(changed).toMatchObject({
      rpm: 11,
      concurrency: 12,
      historyDays: 13,
      included: { lookupCached: 14, lookupLive: 15 },
    });
  });

  it.each([
    ['one plan', ['starter']],
    ['different plans', ['free', 'starter', 'growth', 'scale']],
  ])('several set-ups of one name with %s create one workspace with one key', async (kind, slugs) => {
    const name = `Set up with ${kind}`;
    const request = { name, label: 'first', preset: 'full', scopes: [], actor };
    const answers = await many(8, (client, n) =>
      client.setUpWorkspace({ ...request, planSlug: slugs[n % slugs.length] ?? '' }),
    );
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(answers.map(({ workspace }) => workspace?.id)).size).toBe(1);
    expect(await harness.db.collection('workspaces').countDocuments({ name })).toBe(1);
    workspaceId = answers[0]?.workspace?.id ?? '';
    expect(await harness.db.collection('keys').countDocuments({ workspaceId })).toBe(1);
  });

  it('a key is verified while its workspace changes plan and the old plan is deleted', async () => {
    const { plans: all } = await clients[0].listPlans({});
    await clients[0].createPlan({ plan: { ...(all[0] as (typeof all)[0]), slug: 'leaving' }, actor });
    await clients[0].setWorkspacePlan({ workspaceId, planSlug: 'leaving', actor });
    const { secret } = await newKey(clients[0], workspaceId);
    const workspaces = createWorkspaceStore(harness.db);
    let reads = 0;
    const deps = {
      clock,
      peppers: [{ id: '1', secret: pepper }],
      keys: createKeyStore(harness.db),
      plans: createPlanStore(harness.db),
      workspaces: {
        ...workspaces,
        /** The plan changes between the reading of the workspace and the reading of its plan. */
        async find(id: string, maxTimeMS: number) {
          const found = await workspaces.find(id, maxTimeMS);
          if (++reads === 1) {
            await clients[0].setWorkspacePlan({ workspaceId, planSlug: 'scale', actor });
            await clients[0].deletePlan({ slug: 'leaving', actor });
          }
          return found;
        },
      },
    } as unknown as Dependencies;
    const context = {
      origin: { requestId: '', traceparent: '', environment: 'live' as const },
      deadline: createDeadline(10_000),
    };
    const verified = await verifyKey(deps, digestOf(secret).keyDigest, context);
    expect(verified).toMatchObject({ state: 'active', workspace: { planSlug: 'scale' }, plan: { slug: 'scale' } });
    expect(reads).toBe(2);
  });
});
