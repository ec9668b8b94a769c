import { invalidField } from '@shopscope/errors';
import type { z } from 'zod';
import type { AuthenticatedExchange } from '../../http/exchange.ts';
import { pluralized } from '../../http/input/sanitized-input.ts';
import { jsonBodyOf } from '../../http/input/validation.ts';
import { jsonType, noStore } from '../../http/reply/reply.ts';
import { runIdempotently } from '../../idempotency/run-idempotently.ts';
import type { IdempotentResponse, RunOnce } from '../../idempotency/run-once.ts';
import type { Route } from '../route.ts';
import type { enrichRequest } from './contract.ts';
import type { EnrichStores } from './enrich-stores.ts';

export function enrichStores(enrich: EnrichStores, runOnce: RunOnce): Route {
  return async (exchange, headers) => {
    const { caller, origin, deadline, billing, input } = exchange as AuthenticatedExchange;
    const { domains, refresh } = input.body as z.output<typeof enrichRequest>;
    const max = caller.plan.enrichBatchMax;
    if (domains.length > max) {
      const bound = `must have at most ${pluralized(max, { one: 'entry', many: 'entries' })} on the plan ${caller.plan.slug}`;
      throw invalidField('domains', `${bound}, not ${domains.length}`);
    }

    const execute = async (chargeId: string, fingerprint: Buffer | undefined): Promise<IdempotentResponse> => {
      const request = { inputs: domains, refresh, chargeId, fingerprint, caller, origin, deadline, billing };
      const { body, remaining, voidCharge } = await enrich(request);
      const billingHeaders = remaining === undefined ? {} : { 'X-Usage-Remaining': String(remaining) };
      const responseHeaders = { 'Content-Type': jsonType, 'Cache-Control': noStore, ...billingHeaders };
      return { status: 200, headers: responseHeaders, body, voidCharge };
    };

    return runIdempotently(
      { exchange: exchange as AuthenticatedExchange, headers, runOnce, operation: 'enrichStores' },
      {
        content: () => jsonBodyOf({ exchange, headers }),
        execute,
      },
    );
  };
}
