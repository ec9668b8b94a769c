import type { Dependencies } from '../wiring/dependencies.ts';
import { requireAdmin, requireRecentAdmin, type WorkspaceVisit } from './visit.ts';

/** Operations whose own pages ask for a recent sign-in: they delete data, or send data to a URL that the person names. */
const recent = new Set(['resetTestTenant', 'createWebhook', 'updateWebhook', 'rotateWebhookSecret', 'deleteWebhook']);

/** Further operations of admins. */
const ofAdmins = new Set(['setTestAllowance']);

/**
 * Throws if the person may not send an operation of the API with the key of the workspace. The rule is one for all pages that send it.
 * Only an admin changes webhooks and the test tenant, and makes events.
 */
export function requireMaySend(
  deps: Pick<Dependencies, 'clock'>,
  visit: WorkspaceVisit,
  { id, scope }: { id: string; scope: string | undefined },
): void {
  if (recent.has(id)) requireRecentAdmin(deps, visit);
  else if (scope === 'write:webhooks' || ofAdmins.has(id)) requireAdmin(visit.membership);
}
