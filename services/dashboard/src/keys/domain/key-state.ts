import { type Key, KeyStatus, KeyUse } from '@shopscope/proto';

type KeyState = 'active' | 'expired' | 'revoked';

const states = new Map<KeyStatus, KeyState>([
  [KeyStatus.REVOKED, 'revoked'],
  [KeyStatus.EXPIRED, 'expired'],
]);

/** The time when a key was last used. A key without a preset was created before its use was recorded. */
type LastUse = { atMs: number } | 'never' | 'not_recorded';

function lastUseOf({ lastUsedAtMs, preset }: Key): LastUse {
  if (lastUsedAtMs !== undefined) return { atMs: lastUsedAtMs };
  return preset === '' ? 'not_recorded' : 'never';
}

export type KeySummary = ReturnType<typeof keySummary>;

export const keySummary = (key: Key) => ({
  id: key.id,
  label: key.label,
  prefix: key.prefix,
  /** Lists have no other status. */
  state: states.get(key.status) ?? 'active',
  createdAtMs: key.createdAtMs,
  expiresAtMs: key.expiresAtMs,
  lastUsed: lastUseOf(key),
  /** Whether it is the key that Stores of the dashboard uses. Nobody else can use it. */
  isOfDashboard: key.use === KeyUse.DASHBOARD,
});
