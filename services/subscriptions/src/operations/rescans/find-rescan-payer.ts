import type { Deadline } from '@shopscope/async';
import type { Environment } from '@shopscope/environment';
import type { Origin } from '@shopscope/telemetry';
import type { FoundPayer } from '../../outbound/payers.ts';
import type { Dependencies } from '../dependencies.ts';

export type AblePayer = FoundPayer['payer'];

/** Who pays for rescans, or why nobody does. */
export type RescanPayer =
  | { kind: 'able'; payer: AblePayer; keyExpiresAt: Date | null }
  | { kind: 'key_revoked' }
  | { kind: 'workspace_suspended' };

/** The scope that a key needs to set an interval, and to pay for the rescans. */
const scope = 'write:scans';

export async function findRescanPayer(
  { payers }: Pick<Dependencies<Environment>, 'payers'>,
  key: { workspaceId: string; keyId: string },
  origin: Origin,
  deadline: Deadline,
): Promise<RescanPayer> {
  const found = await payers.find(key, origin, deadline);
  if (found?.fault === 'workspace_suspended') return { kind: 'workspace_suspended' };
  if (!found || found.fault || !found.scopes.includes(scope)) return { kind: 'key_revoked' };
  return { kind: 'able', payer: found.payer, keyExpiresAt: found.keyExpiresAt };
}
