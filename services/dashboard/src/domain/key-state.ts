import { KeyStatus } from '@shopscope/proto';

export type KeyState = 'active' | 'expired' | 'revoked';

const states = new Map<KeyStatus, KeyState>([
  [KeyStatus.REVOKED, 'revoked'],
  [KeyStatus.EXPIRED, 'expired'],
]);

/** The state of a listed key. Lists have no other status. */
export const keyStateOf = (status: KeyStatus): KeyState => states.get(status) ?? 'active';
