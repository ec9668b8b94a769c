import { invalidField } from '@shopscope/errors';
import { deriveId, newId } from '@shopscope/ids';
import type { z } from 'zod';
import type { enrichRequest } from '../../../contract/enrich.ts';
import { idempotencyKeyLength } from '../../../contract/headers.ts';
import type { RequestBilling } from '../../../domain/request-billing.ts';
import { pluralized } from '../../../domain/sanitized-input.ts';
import type { EnrichStores } from '../../../operations/enrich-stores.ts';
import { fingerprintOf, type IdempotentResponse, type RunOnce } from '../../../operations/run-once.ts';
import type { AuthenticatedExchange } from '../exchange.ts';
import { jsonType, noStore, type Reply } from '../reply.ts';
import { jsonBodyOf } from '../validation.ts';
import type { Route } from './index.ts';

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

    const key = idempotencyKeyOf(headers['idempotency-key']);
    if (key === undefined) return replyOf(await execute(newId('chg'), undefined));
    const { workspaceId } = caller;
    const chargeId = deriveId('chg', workspaceId, 'enrichStores', key);
    const fingerprint = fingerprintOf(jsonBodyOf({ exchange, headers }));
    const result = await runOnce({ workspaceId, chargeId, fingerprint, deadline }, () =>
      execute(chargeId, fingerprint),
    );
    if (result.replayed) Object.assign(billing, { chargeId, earlier: 'replayed' } satisfies Partial<RequestBilling>);
    return replyOf(result, result.replayed);
  };
}

function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const { min, max } = idempotencyKeyLength;
  if (typeof header !== 'string' || header.length < min || header.length > max) {
    throw invalidField('Idempotency-Key', `must have ${min} to ${max} characters, not ${header.length}`);
  }
  return header;
}

function replyOf({ status, headers, body }: IdempotentResponse, replayed = false): Reply {
  return { status, headers: replayed ? { ...headers, 'Idempotent-Replayed': 'true' } : headers, body };
}
