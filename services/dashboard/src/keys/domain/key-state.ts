import { type Key, KeyStatus } from '@shopscope/proto';

export type KeyState = 'active' | 'expired' | 'revoked';

const states = new Map<KeyStatus, KeyState>([
  [KeyStatus.REVOKED, 'revoked'],
  [KeyStatus.EXPIRED, 'expired'],
]);

/** The state of a listed key. Lists have no other status. */
export const keyStateOf = (status: KeyStatus): KeyState => states.get(status) ?? 'active';

/** When a key was last used. Keys without a preset are older than the record of their use. */
export type LastUse = { atMs: number } | 'never' | 'not_recorded';

export function lastUseOf({ lastUsedAtMs, preset }: Pick<Key, 'lastUsedAtMs' | 'preset'>): LastUse {
  if (lastUsedAtMs !== undefined) return { atMs: lastUsedAtMs };
  return preset === '' ? 'not_recorded' : 'never';
}
