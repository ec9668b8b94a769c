import { contractUnitsOf } from '@shopscope/charging';
import { AppError } from '@shopscope/errors';
import { isZero, noUnits } from '@shopscope/proto';
import type { CallerRequest } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import { periodOf } from './get-account.ts';

/**
 * Returns the usage of the period in the environment of the key, in total and by key. It lists every active key, and every revoked or expired key with
 * usage, so that the rows add up to the total. A key that the keys service does not know has its id as its label.
 */
export async function usageOf(
  { metering, keys }: Pick<Dependencies, 'metering' | 'keys'>,
  { caller, origin, deadline }: CallerRequest,
): Promise<object> {
  const { workspaceId, keyEnvironment: environment, plan } = caller;
  const [usage, active] = await Promise.all([
    metering.getUsage(workspaceId, origin, deadline),
    keys.listActiveKeys({ workspaceId, environment }, origin, deadline),
  ]);
  if (!usage.balance) throw new AppError('internal', 'The service could not answer; retry in a few seconds.');
  const usedByKey = new Map(usage.keys.map(({ keyId, used }) => [keyId, used ?? noUnits]));
  const listed = new Set(active.map(({ id }) => id));
  const others = usage.keys.filter(({ keyId, used }) => !listed.has(keyId) && !isZero(used ?? noUnits));
  const otherIds = others.map(({ keyId }) => keyId);
  const inactive = await keys.getKeys(workspaceId, otherIds, origin, deadline);
  const labels = new Map(inactive.map(({ id, label }) => [id, label]));
  return {
    period: periodOf(plan, usage.balance),
    by_key: [
      ...active.map(({ id, label }) => row(id, label, usedByKey.get(id))),
      ...others.map(({ keyId, used }) => row(keyId, labels.get(keyId) ?? keyId, used)),
    ],
  };
}

function row(keyId: string, label: string, used: Parameters<typeof contractUnitsOf>[0]) {
  return { key_id: keyId, label, used: contractUnitsOf(used) };
}
