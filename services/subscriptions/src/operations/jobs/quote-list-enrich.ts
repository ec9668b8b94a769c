import type { Environment, Tenant } from '@shopscope/environment';
import type { CallContext } from '@shopscope/grpc';
import { requireJobSize } from '../../domain/bulk-job.ts';
import type { Dependencies } from '../dependencies.ts';
import { findGroup, refOf } from '../find-group.ts';
import { listsOf } from '../group-kinds.ts';
import { countList, type Quote } from './count-list.ts';
import { requirePayer } from './require-payer.ts';

/** Counts what a job over the list would find and bill. Nothing changes. */
export async function quoteListEnrich<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  { listId, keyId, refresh }: { listId: string; keyId: string; refresh: boolean },
  context: CallContext,
): Promise<Quote> {
  requireJobSize(await findGroup(listsOf(deps), tenant, listId, context));
  const { plan } = await requirePayer(deps, tenant, keyId, context);
  const { freshnessDays } = plan;
  return countList(deps, refOf(listsOf(deps), tenant, listId), { refresh, freshnessDays }, context);
}
