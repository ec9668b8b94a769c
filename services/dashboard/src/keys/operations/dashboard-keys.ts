/**
 * Purpose: each workspace has one API key `Dashboard` in each environment. It is created at its first use and stored encrypted.
 * Concurrency: one request at a time has a key issued for a workspace. The others wait for it for at most 5 s, and use that key.
 * Failure: the secret cannot be decrypted, or a gateway refuses the key -> a new key replaces it. A key younger than 30 s is not replaced:
 * the error names the seconds until then. Instances with different secrets therefore do not revoke each other's keys at each call. A person
 * revoked the key -> `conflict` until an admin switches it on again.
 */

import { AppError } from '@shopscope/errors';
import { unlessNotFound } from '@shopscope/grpc';
import { KeyStatus } from '@shopscope/proto';
import { actorOf, keeperOf, requireRecentAdmin, type WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { seal, unseal } from '../domain/sealed-text.ts';

/** An API key that this service uses to call gateways for a workspace. */
export interface DashboardKey {
  keyId: string;
  secret: string;
}

/** The stored key. `secret` is undefined if it cannot be decrypted here. */
interface StoredKey {
  keyId: string;
  secret: string | undefined;
  issuedAtMs: number;
}

interface NewKey {
  /** The id of a key that a gateway has refused. */
  replaced: string | undefined;
  /** Whether an admin allows a key again. */
  switchOn: boolean;
}

/** Longer than the call of the keys service takes. */
const leaseMs = 10_000;
const busyPollMs = 250;
const busyPolls = 20;
/** A gateway refuses a key for 5 s after the key was unknown to it. A key younger than this is not replaced. */
const renewalPauseMs = 30_000;

const stored = async (deps: Dependencies, keeper: string): Promise<StoredKey | 'off' | undefined> => {
  const found = await deps.dashboardKeys.find(keeper);
  if (!found || found === 'off') return found;
  const secret = unseal(deps.secret, keeper, found.sealed);
  return { keyId: found.keyId, secret, issuedAtMs: found.issuedAt.getTime() };
};

/** Whole seconds until the key may be replaced. 0 if its date is in the future, because another clock is ahead of this one. */
const secondsUntilRenewal = (deps: Dependencies, { issuedAtMs }: StoredKey): number => {
  const ageMs = deps.clock.now() - issuedAtMs;
  return ageMs < 0 ? 0 : Math.max(0, Math.ceil((renewalPauseMs - ageMs) / 1_000));
};

/** A key other than `replaced`, made by this request or by a concurrent one. */
const newKey = async (deps: Dependencies, visit: WorkspaceVisit, { replaced, switchOn }: NewKey) => {
  const keeper = keeperOf(visit);
  for (let polls = 0; polls <= busyPolls; polls++) {
    if (polls > 0) await deps.clock.sleep(busyPollMs);
    const nowMs = deps.clock.now();
    const leaseUntil = new Date(nowMs + leaseMs);
    const isLeased = await deps.dashboardKeys.lease(keeper, new Date(nowMs), leaseUntil);
    let mayIssue = false;
    try {
      // Read under the lease, because another request may have stored a key since the caller read it.
      const found = await stored(deps, keeper);
      if (found === 'off' && !switchOn) throw switchedOff();
      if (found && found !== 'off' && found.keyId !== replaced) {
        if (isReadable(found)) return found;
        const seconds = secondsUntilRenewal(deps, found);
        if (seconds > 0) throw unreadable(seconds);
      }
      mayIssue = isLeased;
    } finally {
      if (isLeased && !mayIssue) await deps.dashboardKeys.release(keeper, leaseUntil);
    }
    if (mayIssue) return issue(deps, visit, leaseUntil, switchOn);
  }
  throw new AppError('unavailable', 'The Dashboard key is being made. Nothing was billed. Try again in a moment.');
};

const issue = async (deps: Dependencies, visit: WorkspaceVisit, leaseUntil: Date, switchOn: boolean) => {
  const { workspaceId } = visit.membership;
  const { environment } = visit.origin;
  const keeper = keeperOf(visit);
  try {
    const request = { workspaceId, environment, switchOn, ...actorOf(visit) };
    const issued = await deps.keys.issueDashboardKey(request, visit.origin);
    const sealed = seal(deps.secret, keeper, issued.secret);
    await deps.dashboardKeys.put(keeper, leaseUntil, {
      keyId: issued.keyId,
      sealed,
      issuedAt: new Date(deps.clock.now()),
    });
    return issued;
  } catch (error) {
    const isOff = error instanceof AppError && error.code === 'conflict';
    if (isOff) await deps.dashboardKeys.turnOff(keeper, { leaseUntil });
    await deps.dashboardKeys.release(keeper, leaseUntil);
    throw isOff ? switchedOff() : error;
  }
};

/** The state in the keys service of a key that a gateway refused. */
const stateOf = async (deps: Dependencies, visit: WorkspaceVisit, keyId: string) => {
  const key = await unlessNotFound(deps.keys.getKey(visit.membership.workspaceId, keyId, visit.origin));
  if (!key) return 'unknown';
  return key.status === KeyStatus.ACTIVE ? 'active' : 'revoked';
};

/** Throws `conflict` if a person revoked the key. */
export async function open(deps: Dependencies, visit: WorkspaceVisit): Promise<DashboardKey> {
  const found = await stored(deps, keeperOf(visit));
  if (found === 'off') throw switchedOff();
  return found && isReadable(found) ? found : newKey(deps, visit, { replaced: undefined, switchOn: false });
}

/** Returns a key in place of one that a gateway refused. */
export async function renew(deps: Dependencies, visit: WorkspaceVisit, refused: DashboardKey): Promise<DashboardKey> {
  const { workspaceId } = visit.membership;
  const keeper = keeperOf(visit);
  const replacement = { replaced: refused.keyId, switchOn: false };
  const found = await stored(deps, keeper);
  if (found === 'off') throw switchedOff();
  if (found && found.keyId !== refused.keyId) return isReadable(found) ? found : newKey(deps, visit, replacement);
  // Only the keys service knows whether a person revoked the key, or an earlier replacement whose response was lost.
  if ((await stateOf(deps, visit, refused.keyId)) === 'revoked') return newKey(deps, visit, replacement);
  const { workspace } = await deps.keys.getWorkspace(workspaceId, visit.origin);
  if (workspace.suspendedAtMs !== undefined) {
    throw new AppError('forbidden_scope', 'Shopscope has suspended this workspace. Nothing was billed.');
  }
  const seconds = found ? secondsUntilRenewal(deps, found) : 0;
  if (seconds > 0) {
    const text = `The API does not know the new Dashboard key yet. Nothing was billed. Try again in ${seconds} s.`;
    throw new AppError('unavailable', text, { details: { retry_after: seconds } });
  }
  return newKey(deps, visit, replacement);
}

/** Whether Stores may be used. `not_yet`: the first use creates the key. */
export async function state(deps: Dependencies, visit: WorkspaceVisit): Promise<'on' | 'not_yet' | 'off'> {
  const keeper = keeperOf(visit);
  const found = await stored(deps, keeper);
  if (found === undefined) return 'not_yet';
  if (found === 'off') return 'off';
  if ((await stateOf(deps, visit, found.keyId)) !== 'revoked') return 'on';
  // While another request replaces the key, its revocation was not made by a person.
  await deps.dashboardKeys.turnOff(keeper, { keyId: found.keyId, notLeasedAt: new Date(deps.clock.now()) });
  return (await stored(deps, keeper)) === 'off' ? 'off' : 'on';
}

/**
 * Creates a new key after a person revoked the earlier one. Throws for members and without a recent sign-in, as the revocation did. The
 * first key and its replacements need neither: nobody sees their secrets, and they allow nothing more than the session does.
 */
export async function switchOn(deps: Dependencies, visit: WorkspaceVisit): Promise<void> {
  requireRecentAdmin(deps, visit);
  if ((await state(deps, visit)) === 'off') await newKey(deps, visit, { replaced: undefined, switchOn: true });
}

const isReadable = (key: StoredKey): key is StoredKey & DashboardKey => key.secret !== undefined;

const unreadable = (seconds: number) =>
  new AppError(
    'unavailable',
    `The stored Dashboard key cannot be decrypted. Nothing was billed. Try again in ${seconds} s: a new key replaces it then. If this ` +
      'comes again, tell the operator that the instances of the dashboard have different SESSION_SECRETs.',
    { details: { retry_after: seconds } },
  );

const switchedOff = () =>
  new AppError(
    'conflict',
    'Somebody has revoked the Dashboard key of this workspace. Nothing was billed. An admin can switch Stores on again.',
  );
