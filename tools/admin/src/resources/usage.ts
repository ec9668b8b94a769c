import { type Balance, type Key, KeyStatus, type KeyUsage, type Plan, type Units } from '@shopscope/proto';
import { encodeTimestamp } from './encode-timestamp.ts';
import { encodeUnits } from './units.ts';

/**
 * Usage as in GET /v1/usage.
 *
 * - Rows: every active key and every other key with usage, so the rows add up to the total.
 * - A key that the keys service no longer lists has its id as label.
 * - The allowance of an earlier period is null, because it is not stored.
 */
export function encodeUsage(input: {
  balance: Balance;
  usage: readonly KeyUsage[];
  keys: readonly Key[];
  /** Undefined for an earlier period. */
  plan: Plan | undefined;
}) {
  const { balance, keys, plan } = input;
  const usedByKey = new Map(input.usage.map(({ keyId, used }) => [keyId, used]));
  const listed = new Set(keys.map(({ id }) => id));
  const row = (keyId: string, label: string) => ({ key_id: keyId, label, used: encodeUnits(usedByKey.get(keyId)) });
  const shown = keys.filter(({ id, status }) => status === KeyStatus.ACTIVE || isSpent(usedByKey.get(id)));
  const forgotten = input.usage.filter(({ keyId, used }) => !listed.has(keyId) && isSpent(used));
  return {
    period: {
      starts_at: encodeTimestamp(balance.periodStartMs),
      ends_at: encodeTimestamp(balance.periodEndMs),
      included: plan ? encodeUnits(plan.included) : null,
      used: encodeUnits(balance.used),
    },
    by_key: [...shown.map(({ id, label }) => row(id, label)), ...forgotten.map(({ keyId }) => row(keyId, keyId))],
  };
}

const isSpent = (units: Units | undefined) => Object.values(encodeUnits(units)).some((count) => count > 0);
