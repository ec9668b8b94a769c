import { createDeadline, type Deadline } from '@shopscope/async';
import type { Payer } from '@shopscope/charging';
import type { Clock } from '@shopscope/clock';
import { AppError } from '@shopscope/errors';
import { callPeer, type GrpcClient, unlessNotFound } from '@shopscope/grpc';
import {
  type Key,
  KeyStatus,
  type KeysServiceService,
  noUnits,
  type Plan,
  Quotas,
  type Workspace,
} from '@shopscope/proto';
import type { Origin } from '@shopscope/telemetry';
import { LRUCache } from 'lru-cache';

/** A workspace and its key that pays for a job or for rescans. */
export interface PayingKey {
  workspaceId: string;
  keyId: string;
}

export type PayerPlan = Payer['plan'] & Omit<Plan, 'included' | 'quotas'> & { quotas: Quotas };

/** Why a key cannot pay. `key_revoked`: the key was revoked, has expired, or does not exist. */
export type PayerFault = 'key_revoked' | 'workspace_suspended';

export interface FoundPayer {
  payer: Payer & { plan: PayerPlan };
  scopes: readonly string[];
  /** Null if the key does not expire. */
  keyExpiresAt: Date | null;
  /** Null while the key may pay. */
  fault: PayerFault | null;
}

/**
 * Looks up who pays: the key, its workspace and the plan of the workspace.
 *
 * - Freshness: a result is used for 30 s from the start of its read, on the monotonic clock. The expiry of a key applies at once.
 * - Concurrency: simultaneous reads of one key share one call of each RPC.
 * - keys is unavailable -> the call rejects. Results that are older than 30 s are not used.
 * - Bound: {@link maxKeys} keys. The key that was used least recently is dropped first.
 */
export type Payers = ReturnType<typeof createPayers>;

const freshMs = 30_000;
const maxKeys = 10_000;
const readTimeoutMs = 5_000;

interface Read {
  key: Key | undefined;
  workspace: Workspace;
  plan: Plan;
}

export function createPayers({
  keys,
  clock,
}: {
  keys: Pick<GrpcClient<typeof KeysServiceService>, 'getKey' | 'getWorkspace'>;
  clock: Clock;
}) {
  const reads = new LRUCache<string, { read: Promise<Read | undefined>; untilMs: number }>({ max: maxKeys });

  const read = async ({ workspaceId, keyId }: PayingKey, origin: Origin): Promise<Read | undefined> => {
    // The deadline of one caller is not used, because other callers join the read.
    const call = { origin, deadline: createDeadline(readTimeoutMs, { clock }) };
    const [key, found] = await Promise.all([
      callPeer((options) => unlessNotFound(keys.getKey({ workspaceId, keyId }, options)), call),
      callPeer((options) => unlessNotFound(keys.getWorkspace({ workspaceId }, options)), call),
    ]);
    if (!found) return undefined;
    const { workspace, plan } = found;
    if (!workspace || !plan) throw new AppError('internal', 'The service could not answer; retry in a few seconds.');
    return { key: key?.key, workspace, plan };
  };

  const readOnce = (of: PayingKey, origin: Origin): Promise<Read | undefined> => {
    const id = `${of.workspaceId} ${of.keyId}`;
    const known = reads.get(id);
    if (known && clock.monotonicMs() < known.untilMs) return known.read;
    const entry = { read: read(of, origin), untilMs: clock.monotonicMs() + freshMs };
    reads.set(id, entry);
    entry.read.catch(() => {
      if (reads.get(id) === entry) reads.delete(id);
    });
    return entry.read;
  };

  return {
    /** Resolves to undefined if the workspace does not exist. */
    async find(of: PayingKey, origin: Origin, deadline: Deadline): Promise<FoundPayer | undefined> {
      const found = await deadline.race(readOnce(of, origin));
      if (!found) return undefined;
      const { included = noUnits, quotas, ...plan } = found.plan;
      return {
        payer: { ...of, plan: { ...plan, included, quotas: Quotas.create(quotas) } },
        scopes: found.key?.scopes ?? [],
        keyExpiresAt: found.key?.expiresAtMs === undefined ? null : new Date(found.key.expiresAtMs),
        fault: faultOf(found, clock.now()),
      };
    },
  };
}

function faultOf({ key, workspace }: Read, nowMs: number): PayerFault | null {
  const isExpired = key?.expiresAtMs !== undefined && nowMs >= key.expiresAtMs;
  if (key?.status !== KeyStatus.ACTIVE || isExpired) return 'key_revoked';
  return workspace.suspendedAtMs === undefined ? null : 'workspace_suspended';
}
