import { enrichStores as enrich } from '@shopscope/enrich';
import { invalidField } from '@shopscope/errors';
import { pluralized } from '@shopscope/text';
import type { PendingCharge } from '../../idempotency/run-idempotently.ts';
import type { Caller } from '../../keys/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import { enrichResponseBody } from '../store-bodies.ts';

export type EnrichStoresRequest = PendingCharge & { inputs: readonly string[]; refresh: boolean };

/** Enriches a batch after the workspace got its turn. libs/enrich has the steps and what a failure leaves behind. */
export function enrichStores(deps: Dependencies, request: EnrichStoresRequest) {
  const { caller, inputs, deadline, origin } = request;
  return deps.turns.run({ caller, domains: inputs.length, deadline }, async () => {
    const { results, billed, remaining, voidCharge } = await enrich(deps, request);
    return { body: enrichResponseBody({ requestId: origin.requestId, billed, results }), remaining, voidCharge };
  });
}

export function requireBatchSize({ enrichBatchMax: max, slug }: Caller['plan'], size: number): void {
  if (size <= max) return;
  const bound = `must have at most ${pluralized(max, { one: 'entry', many: 'entries' })} on the plan ${slug}`;
  throw invalidField('domains', `${bound}, not ${size}`);
}
