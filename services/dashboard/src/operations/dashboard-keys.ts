import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { KeyStatus } from '@shopscope/proto';
import { seal, unseal } from '../domain/sealed-text.ts';
import type { KeysClient } from '../outbound/grpc/keys.ts';
import type { DashboardKeyStore } from '../outbound/mongo/dashboard-keys.ts';
import { actorOf, type WorkspaceVisit } from './workspace-visit.ts';
import { requireAdmin } from './workspaces.ts';

/** An API key with which this service calls gateways for a workspace. */
export interface DashboardKey {
  keyId: string;
  secret: string;
}

/** Longer than the call of the keys service. */
const leaseMs = 10_000;
const busyPollMs = 250;
const busyPolls = 20;
/** A gateway refuses a key for 5 s after it was unknown. A key that is younger is not renewed. */
const renewalPauseMs = 30_000;

export type DashboardKeys = ReturnType<typeof createDashboardKeys>;

/**
 * Purpose: the key `Dashboard` of each workspace, made at its first use and stored encrypted.
 * Concurrency: one request at a time has a key issued for a workspace; the others wait for it, 5 s at most.
 * Failure: the secret cannot be decrypted, or a gateway refuses the key -> a new key replaces it, at most every 30 s. Somebody has
 * revoked the key -> `conflict` until an admin switches it on again.
 */
export function createDashboardKeys(deps: {
  keys: Pick<KeysClient, 'issueDashboardKey' | 'getKey' | 'getWorkspace'>;
  store: DashboardKeyStore;
  clock: Pick<Clock, 'now' | 'sleep'>;
  secret: string;
}) {
  const { keys, store, clock } = deps;

  const stored = async (workspaceId: string): Promise<(DashboardKey & { issuedAtMs: number }) | 'off' | undefined> => {
    const found = await store.find(workspaceId);
    if (!found || found === 'off') return found;
    const secret = unseal(deps.secret, workspaceId, found.sealed);
    return secret === undefined ? undefined : { keyId: found.keyId, secret, issuedAtMs: found.issuedAt.getTime() };
  };

  const issue = async (visit: WorkspaceVisit, switchOn: boolean): Promise<DashboardKey> => {
    const { workspaceId } = visit.membership;
    const nowMs = clock.now();
    const leaseUntil = new Date(nowMs + leaseMs);
    if (!(await store.lease(workspaceId, new Date(nowMs), leaseUntil))) return issuedByOther(workspaceId);
    try {
      const issued = await keys.issueDashboardKey({ workspaceId, switchOn, ...actorOf(visit) }, visit.origin);
      const sealed = seal(deps.secret, workspaceId, issued.secret);
      await store.put(workspaceId, leaseUntil, { keyId: issued.keyId, sealed, issuedAt: new Date(clock.now()) });
      return issued;
    } catch (error) {
      const isOff = error instanceof AppError && error.code === 'conflict';
      // While the lease is held, no other request stores a key.
      if (isOff) await store.turnOff(workspaceId, undefined);
      await store.release(workspaceId, leaseUntil);
      throw isOff ? switchedOff() : error;
    }
  };

  /** Waits for the key that another request has issued. */
  const issuedByOther = async (workspaceId: string): Promise<DashboardKey> => {
    for (let polls = 0; polls < busyPolls; polls++) {
      await clock.sleep(busyPollMs);
      const found = await stored(workspaceId);
      if (found === 'off') throw switchedOff();
      if (found) return found;
    }
    throw new AppError('unavailable', 'The Dashboard key is being made. Nothing was billed. Try again in a moment.');
  };

  /** What the keys service says of a key that a gateway has refused. */
  const stateOf = async (visit: WorkspaceVisit, keyId: string): Promise<'revoked' | 'unknown' | 'active'> => {
    const key = await keys.getKey(visit.membership.workspaceId, keyId, visit.origin).catch((error) => {
      if (error instanceof AppError && error.code === 'not_found') return undefined;
      throw error;
    });
    if (!key) return 'unknown';
    return key.status === KeyStatus.ACTIVE ? 'active' : 'revoked';
  };

  return {
    /** Throws `conflict` when somebody has revoked the key. */
    async open(visit: WorkspaceVisit): Promise<DashboardKey> {
      const found = await stored(visit.membership.workspaceId);
      if (found === 'off') throw switchedOff();
      return found ?? issue(visit, false);
    },

    /** A key in place of one that a gateway has refused. */
    async renew(visit: WorkspaceVisit, refused: DashboardKey): Promise<DashboardKey> {
      const { workspaceId } = visit.membership;
      const found = await stored(workspaceId);
      if (found === 'off') throw switchedOff();
      if (found && found.keyId !== refused.keyId) return found;
      // Only keys knows whether somebody has revoked the key, or an earlier replacement whose response was lost.
      if ((await stateOf(visit, refused.keyId)) === 'revoked') return issue(visit, false);
      const { workspace } = await keys.getWorkspace(workspaceId, visit.origin);
      if (workspace.suspendedAtMs !== undefined) {
        throw new AppError('forbidden_scope', 'Shopscope has suspended this workspace. Nothing was billed.');
      }
      if (found && clock.now() - found.issuedAtMs < renewalPauseMs) {
        throw new AppError('unavailable', 'The API does not know the new Dashboard key yet. Try again in a moment.');
      }
      return issue(visit, false);
    },

    /** Whether Stores may be used. `not_yet`: the first use makes the key. */
    async state(visit: WorkspaceVisit): Promise<'on' | 'not_yet' | 'off'> {
      const { workspaceId } = visit.membership;
      const found = await stored(workspaceId);
      if (found === undefined) return 'not_yet';
      if (found === 'off') return 'off';
      if ((await stateOf(visit, found.keyId)) !== 'revoked') return 'on';
      await store.turnOff(workspaceId, found.keyId);
      return 'off';
    },

    /** A new key after somebody has revoked the earlier one. Throws for members. */
    async switchOn(visit: WorkspaceVisit): Promise<void> {
      requireAdmin(visit.membership);
      if ((await this.state(visit)) === 'off') await issue(visit, true);
    },
  };
}

const switchedOff = () =>
  new AppError(
    'conflict',
    'Somebody has revoked the Dashboard key of this workspace. Nothing was billed. An admin can switch Stores on again.',
  );
