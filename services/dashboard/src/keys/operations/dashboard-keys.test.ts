import { ManualClock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { KeyStatus } from '@shopscope/proto';
import { expect, it } from 'vitest';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import type { DashboardKeyStore, StoredDashboardKey } from '../outbound/dashboard-keys.ts';
import { callWithKey } from './call-with-key.ts';
import * as dashboardKeys from './dashboard-keys.ts';

const visit = {
  person: { userId: 'usr_1', signedInAt: new Date(0) },
  membership: { workspaceId: 'ws_1', role: 'member' },
  address: '',
  origin: { requestId: 'req_1', traceparent: '', environment: 'live' },
} as WorkspaceVisit;

const oldAdmin = { ...visit, membership: { ...visit.membership, role: 'admin' } } as WorkspaceVisit;
const admin = { ...oldAdmin, person: { ...visit.person, signedInAt: new Date(new ManualClock().now()) } };
const secret = 'a secret';

/** `sleep` lets other requests continue. The store and keys behave as the real ones, one step at a time. */
function start() {
  const clock = new ManualClock();
  const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
  const waiting = {
    now: () => clock.now(),
    async sleep(ms: number) {
      clock.advance(ms);
      await pause();
    },
  };
  const state = {
    suspendedAtMs: undefined as number | undefined,
    issued: 0,
    /** What keys knows of each key. */
    keys: new Map<string, KeyStatus>(),
    beforeIssue: async () => {},
  };
  let stored: StoredDashboardKey | 'off' | undefined;
  let leaseUntil = new Date(0);
  const isLease = (until: Date) => until.getTime() === leaseUntil.getTime();
  const store: DashboardKeyStore = {
    find: async () => stored,
    async lease(_workspaceId, now, until) {
      if (leaseUntil > now) return false;
      leaseUntil = until;
      return true;
    },
    async put(_workspaceId, until, key) {
      if (!isLease(until)) return;
      stored = key;
      leaseUntil = new Date(0);
    },
    async release(_workspaceId, until) {
      if (isLease(until)) leaseUntil = new Date(0);
    },
    async turnOff(_workspaceId, of) {
      const holds =
        'keyId' in of
          ? stored !== 'off' && stored?.keyId === of.keyId && leaseUntil <= of.notLeasedAt
          : isLease(of.leaseUntil);
      if (holds) stored = 'off';
    },
  };
  const keys = {
    async issueDashboardKey({ switchOn }: { switchOn: boolean }) {
      await state.beforeIssue();
      const latest = `key_${state.issued}`;
      if (state.keys.get(latest) === KeyStatus.REVOKED && !switchOn) throw new AppError('conflict', 'revoked');
      state.keys.set(latest, KeyStatus.REVOKED);
      const keyId = `key_${++state.issued}`;
      state.keys.set(keyId, KeyStatus.ACTIVE);
      await pause();
      return { keyId, secret: `secret ${state.issued}` };
    },
    getKey: async (_workspaceId: string, keyId: string) => ({ status: state.keys.get(keyId) }) as never,
    getWorkspace: async () => ({ workspace: { suspendedAtMs: state.suspendedAtMs }, plan: {} }) as never,
  };
  const of = (withSecret: string) =>
    ({ keys, dashboardKeys: store, clock: waiting, secret: withSecret }) as unknown as Dependencies;
  return { clock, state, of, deps: of(secret) };
}

it('a key that a gateway refuses is replaced once, and a younger one only after half a minute', async () => {
  const { clock, state, deps } = start();
  const first = await dashboardKeys.open(deps, visit);
  clock.advance(60_000);
  const second = await dashboardKeys.renew(deps, visit, first);
  expect([first.keyId, second.keyId, state.issued]).toEqual(['key_1', 'key_2', 2]);
  // Another request that was refused with the first key uses the second one.
  expect(await dashboardKeys.renew(deps, visit, first)).toMatchObject({ keyId: 'key_2' });
  await expect(dashboardKeys.renew(deps, visit, second)).rejects.toMatchObject({ code: 'unavailable' });
  clock.advance(30_000);
  expect((await dashboardKeys.renew(deps, visit, second)).keyId).toBe('key_3');
});

it('a suspended workspace gets no new key', async () => {
  const { clock, state, deps } = start();
  const key = await dashboardKeys.open(deps, visit);
  clock.advance(60_000);
  state.suspendedAtMs = 1;
  await expect(dashboardKeys.renew(deps, visit, key)).rejects.toMatchObject({ code: 'forbidden_scope' });
  expect(state.issued).toBe(1);
});

it('a revoked key turns Stores off, and only an admin with a recent sign-in turns it on', async () => {
  const { state, deps } = start();
  await dashboardKeys.open(deps, visit);
  state.keys.set('key_1', KeyStatus.REVOKED);
  expect(await dashboardKeys.state(deps, visit)).toBe('off');
  await expect(dashboardKeys.open(deps, visit)).rejects.toMatchObject({ code: 'conflict' });
  await expect(dashboardKeys.switchOn(deps, visit)).rejects.toMatchObject({ code: 'forbidden_scope' });
  await expect(dashboardKeys.switchOn(deps, oldAdmin)).rejects.toMatchObject({ details: { confirm: 'true' } });
  expect(state.issued).toBe(1);
  await dashboardKeys.switchOn(deps, admin);
  expect((await dashboardKeys.open(deps, visit)).keyId).toBe('key_2');
});

it('three calls that are refused at the same time end with one new key, and none of them fails', async () => {
  const { clock, state, deps } = start();
  await dashboardKeys.open(deps, visit);
  clock.advance(60_000);
  // The gateways know no key that is older than the renewal.
  const call = async (given: string) => {
    if (state.issued < 2 || given !== `secret ${state.issued}`) throw new AppError('unauthorized', 'unknown');
  };
  const answers = await Promise.allSettled([1, 2, 3].map(() => callWithKey(deps, visit, call)));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  expect(state.issued).toBe(2);
  expect([...state.keys].filter(([, status]) => status === KeyStatus.ACTIVE)).toEqual([['key_2', KeyStatus.ACTIVE]]);
});

it('three admins who switch Stores on at the same time get one new key, and none of them fails', async () => {
  const { state, deps } = start();
  await dashboardKeys.open(deps, visit);
  state.keys.set('key_1', KeyStatus.REVOKED);
  expect(await dashboardKeys.state(deps, visit)).toBe('off');
  await Promise.all([1, 2, 3].map(() => dashboardKeys.switchOn(deps, admin)));
  expect([state.issued, (await dashboardKeys.open(deps, visit)).keyId]).toEqual([2, 'key_2']);
});

it('a page that is loaded while a renewal revokes the earlier key does not switch Stores off', async () => {
  const { clock, state, deps } = start();
  const key = await dashboardKeys.open(deps, visit);
  clock.advance(60_000);
  const renewal = dashboardKeys.renew(deps, visit, key);
  for (let n = 0; n < 100 && state.issued < 2; n++) await Promise.resolve();
  expect(state.issued).toBe(2);
  const meanwhile = await dashboardKeys.state(deps, visit);
  await renewal;
  expect([meanwhile, await dashboardKeys.state(deps, visit)]).toEqual(['on', 'on']);
});

it('a key of an instance with another secret is replaced after half a minute at most, and before that the error says when', async () => {
  const { clock, state, of, deps } = start();
  await dashboardKeys.open(deps, visit);
  const other = of('another secret');
  clock.advance(10_000);
  await expect(dashboardKeys.open(other, visit)).rejects.toMatchObject({
    code: 'unavailable',
    publicMessage: expect.stringMatching(/cannot be decrypted.*Try again in 20 s.*SESSION_SECRET/),
    details: { retry_after: 20 },
  });
  expect(state.issued).toBe(1);
  clock.advance(20_000);
  expect((await dashboardKeys.open(other, visit)).keyId).toBe('key_2');
});

it('a key that cannot be decrypted and is dated in the future is replaced at once', async () => {
  const { clock, state, of, deps } = start();
  clock.advance(3_600_000);
  await dashboardKeys.open(deps, visit);
  clock.setWall(clock.now() - 3_600_000);
  expect((await dashboardKeys.open(of('another secret'), visit)).keyId).toBe('key_2');
  expect(state.issued).toBe(2);
});

it('a request that waits for a key makes it itself when the other one has failed', async () => {
  const { state, deps } = start();
  let failures = 0;
  state.beforeIssue = async () => {
    if (failures++ === 0) throw new AppError('unavailable', 'keys is away');
  };
  const [first, second] = await Promise.allSettled([dashboardKeys.open(deps, visit), dashboardKeys.open(deps, visit)]);
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
  expect(second).toMatchObject({ status: 'fulfilled', value: { keyId: 'key_1' } });
});
