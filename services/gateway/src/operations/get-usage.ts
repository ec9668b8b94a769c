import { AppError } from '@shopscope/errors';
import { type Key, KeyStatus } from '@shopscope/proto';
import type { CallerRequest } from '../domain/caller-request.ts';
import { contractUnitsOf, isZero, noUnits } from '../domain/units.ts';
import type { KeysClient } from '../outbound/grpc/keys.ts';
import type { MeteringClient } from '../outbound/grpc/metering.ts';
import { periodOf } from './get-account.ts';

/**
 * Returns the usage of the period, in total and by key. It lists every active key, and every revoked or expired key with
 * usage, so the rows add up to the total. A key that keys does not list has its id as label.
 */
export type GetUsage = (request: CallerRequest) => Promise<object>;

export function createGetUsage(options: {
  metering: Pick<MeteringClient, 'getUsage'>;
  keys: Pick<KeysClient, 'listKeys'>;
}): GetUsage {
  return async ({ caller, origin, deadline }) => {
    const [usage, keys] = await Promise.all([
      options.metering.getUsage(caller.workspaceId, origin, deadline),
      options.keys.listKeys(caller.workspaceId, origin, deadline),
    ]);
    if (!usage.balance) throw new AppError('internal', 'The service could not answer; retry in a few seconds.');
    const usedByKey = new Map(usage.keys.map(({ keyId, used }) => [keyId, used ?? noUnits]));
    const listed = new Set(keys.map((key) => key.id));
    const isShown = (key: Key) => key.status === KeyStatus.ACTIVE || !isZero(usedByKey.get(key.id) ?? noUnits);
    const unlisted = usage.keys.filter(({ keyId, used }) => !listed.has(keyId) && !isZero(used ?? noUnits));
    return {
      period: periodOf(caller.plan, usage.balance),
      by_key: [
        ...keys.filter(isShown).map(({ id, label }) => row(id, label, usedByKey.get(id))),
        ...unlisted.map(({ keyId, used }) => row(keyId, keyId, used)),
      ],
    };
  };
}

function row(keyId: string, label: string, used: Parameters<typeof contractUnitsOf>[0]) {
  return { key_id: keyId, label, used: contractUnitsOf(used) };
}
