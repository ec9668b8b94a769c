import { createDeadline } from '@shopscope/async';
import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { Key, KeyStatus, Plan, unitsOf, Workspace } from '@shopscope/proto';
import { expect, it } from 'vitest';
import { createPayers } from './payers.ts';

const workspaceId = 'ws_1';
const keyId = 'key_1';
const origin = { requestId: 'req_1', traceparent: '', environment: 'live' } as const;

function setUp() {
  const clock = new ManualClock();
  const state = {
    key: Key.create({ id: keyId, workspaceId, scopes: ['read:stores'], status: KeyStatus.ACTIVE }) as Key | undefined,
    workspace: Workspace.create({ id: workspaceId }) as Workspace | undefined,
    plan: Plan.create({
      slug: 'growth',
      freshnessDays: 3,
      enrichBatchMax: 100,
      included: unitsOf({ lookupCached: 5 }),
    }),
    isAway: false,
    reads: 0,
  };
  const answer = <T>(found: T | undefined): T => {
    if (state.isAway) throw new AppError('unavailable', 'away');
    if (found === undefined) throw new AppError('not_found', 'none');
    return found;
  };
  const keys = {
    async getKey() {
      state.reads += 1;
      return { key: answer(state.key) };
    },
    async getWorkspace() {
      return { workspace: answer(state.workspace), plan: state.plan };
    },
  } as unknown as Parameters<typeof createPayers>[0]['keys'];
  const payers = createPayers({ keys, clock });
  const find = () => payers.find({ workspaceId, keyId }, origin, createDeadline(5_000, { clock }));
  return { clock, state, find };
}

it('a payer has the plan of its workspace and the scopes of its key', async () => {
  const { find } = setUp();
  expect(await find()).toMatchObject({
    payer: { workspaceId, keyId, plan: { freshnessDays: 3, enrichBatchMax: 100, included: { lookupCached: 5 } } },
    scopes: ['read:stores'],
    fault: null,
  });
});

it('a payer is read again after 30 s, and simultaneous callers share one read', async () => {
  const { clock, state, find } = setUp();
  await Promise.all([find(), find()]);
  clock.advance(29_999);
  await find();
  expect(state.reads).toBe(1);
  clock.advance(1);
  await find();
  expect(state.reads).toBe(2);
});

it('a revoked key and a key that does not exist cannot pay', async () => {
  for (const key of [Key.create({ status: KeyStatus.REVOKED }), undefined]) {
    const { state, find } = setUp();
    state.key = key;
    expect(await find()).toMatchObject({ fault: 'key_revoked' });
  }
});

it('a key cannot pay from its expiry on, even while its read is fresh', async () => {
  const { clock, state, find } = setUp();
  state.key = Key.create({ ...state.key, expiresAtMs: clock.now() + 1_000 });
  expect(await find()).toMatchObject({ fault: null });
  clock.advance(1_000);
  expect(await find()).toMatchObject({ fault: 'key_revoked' });
  expect(state.reads).toBe(1);
});

it('a key of a suspended workspace cannot pay, and a workspace that does not exist has no payer', async () => {
  const { clock, state, find } = setUp();
  state.workspace = Workspace.create({ id: workspaceId, suspendedAtMs: 1 });
  expect(await find()).toMatchObject({ fault: 'workspace_suspended' });
  state.workspace = undefined;
  clock.advance(30_000);
  expect(await find()).toBeUndefined();
});

it('a read that fails is not cached, and no result older than 30 s is used meanwhile', async () => {
  const { clock, state, find } = setUp();
  await find();
  clock.advance(30_000);
  state.isAway = true;
  await expect(find()).rejects.toMatchObject({ code: 'internal' });
  state.isAway = false;
  expect(await find()).toMatchObject({ fault: null });
});
