import { canonicalizeDomain } from '@shopscope/domain-name';
import type { AuthenticatedExchange } from '../../http/exchange.ts';
import { jsonReply } from '../../http/reply/reply.ts';
import { runIdempotently } from '../../idempotency/run-idempotently.ts';
import type { RunOnce } from '../../idempotency/run-once.ts';
import { notADomain } from '../not-a-domain.ts';
import type { Route } from '../route.ts';
import type { RequestStoreScan } from './request-store-scan.ts';

export function requestScan(requestStoreScan: RequestStoreScan, runOnce: RunOnce): Route {
  return (exchange, headers) => {
    const { caller, origin, deadline, billing, input } = exchange as AuthenticatedExchange;
    const sent = input.params.domain ?? '';
    const canonical = canonicalizeDomain(sent);
    if (!canonical.ok) throw notADomain(sent);
    const { domain } = canonical.value;
    return runIdempotently(
      { exchange: exchange as AuthenticatedExchange, headers, runOnce, operation: 'requestScan' },
      {
        content: () => ({ domain }),
        async execute(chargeId, fingerprint) {
          const request = { domain, chargeId, fingerprint, caller, origin, deadline, billing };
          const { job, remaining, voidCharge } = await requestStoreScan(request);
          const billingHeaders = remaining === undefined ? {} : { 'X-Usage-Remaining': String(remaining) };
          const { status, headers, body } = jsonReply(202, job, billingHeaders);
          return { status, headers, body: body ?? Buffer.alloc(0), voidCharge };
        },
      },
    );
  };
}
