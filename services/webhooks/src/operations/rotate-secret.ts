import { hourMs } from '@shopscope/clock';
import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import { changeWorkspace } from '@shopscope/workspace-deletion';
import { maxOverlapHours, maxSecrets, newSecret, validSecrets } from '../domain/signature.ts';
import { requireToken, type WithSecret } from './create-endpoint.ts';
import type { Dependencies } from './dependencies.ts';
import { oneWithHealth } from './endpoint-health.ts';
import { endpointRefOf, noSuchEndpoint } from './find-endpoint.ts';
import { open, requestTokenLifeMs, seal } from './sealed-parts.ts';

/** Makes a new secret. The old one signs, too, for `overlapHours`. A second rotation in this time ends the oldest secret. */
export async function rotateSecret<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  { id, overlapHours, requestToken }: { id: string; overlapHours: number; requestToken: string },
  context: CallContext,
): Promise<WithSecret> {
  requireToken(requestToken);
  if (!(overlapHours >= 0 && overlapHours <= maxOverlapHours)) {
    throw invalidField('overlap_hours', `must be from 0 to ${maxOverlapHours}`);
  }
  const ref = endpointRefOf(tenant, id);
  const { endpoints, vault } = deps;
  return changeWorkspace(deps, tenant, context, async (tx, now) => {
    const before = await endpoints.find(ref, tx);
    if (!before) throw noSuchEndpoint();
    const since = new Date(now.getTime() - requestTokenLifeMs);
    if (requestToken && (await endpoints.hasRotated(ref, requestToken, since, tx))) {
      return { endpoint: await oneWithHealth(deps, tenant, before, tx), secret: '' };
    }
    const secret = newSecret();
    const overlapEnds = new Date(now.getTime() + overlapHours * hourMs);
    const { secrets, headers } = open(vault, id, before.sealed);
    const older = validSecrets(secrets, now).slice(0, maxSecrets - 1);
    const kept = overlapHours > 0 ? older.map((each) => ({ secret: each.secret, until: overlapEnds })) : [];
    const sealed = seal(vault, id, { secrets: [{ secret, until: null }, ...kept], headers });
    const rotation = requestToken ? { rotation: { token: requestToken, at: now } } : {};
    const endpoint = await endpoints.update(ref, { sealed, updatedAt: now, ...rotation }, tx);
    if (!endpoint) throw noSuchEndpoint();
    return { endpoint: await oneWithHealth(deps, tenant, endpoint, tx), secret };
  });
}
