import { storableReply } from '../../http/reply/reply.ts';
import { runIdempotently } from '../../idempotency/run-idempotently.ts';
import { canonicalDomain, requireDomainOf } from '../canonical-domain.ts';
import { defineEndpoint } from '../define-endpoint.ts';
import { storeParams } from '../get-store/contract.ts';
import { exampleJob, job, noUnits } from '../jobs/contract.ts';
import { requestStoreScan } from './request-store-scan.ts';

export const requestScan = defineEndpoint({
  id: 'requestScan',
  method: 'POST',
  path: '/v1/stores/{domain}/scans',
  tag: 'Jobs',
  summary: 'Ask for a scan of one store',
  description:
    'Queues a scan of the domain, whether its profile is fresh or not, and returns the job; the request never visits the site.\n\n' +
    'While a scan of the domain is queued or running for the workspace, the request joins its job, and nothing is billed. Poll ' +
    'GET /v1/jobs/{job_id} about every 10 seconds until the state is succeeded, failed or canceled. A scan that fails stays ' +
    'billed. A body may be absent or an object without members.',
  access: 'key',
  scope: 'write:scans',
  billing: { units: ['refresh_requested'], when: 'One refresh_requested; joining a scan in flight is free' },
  params: storeParams,
  lookedUp: ({ params }) => [params.domain as string],
  idempotent: true,
  success: {
    status: 202,
    description: 'The job.',
    schema: job,
    example: { ...exampleJob, billed: { ...noUnits, refresh_requested: 1 } },
    headers: ['Cache-Control'],
  },
  errors: ['payment_required'],
  handle(request, deps) {
    const domain = canonicalDomain(request.params.domain);
    requireDomainOf(request.caller.keyEnvironment, domain);
    return runIdempotently(deps, request, { domain }, async (charge) => {
      const { job, remaining, voidCharge } = await requestStoreScan(deps, { ...charge, domain });
      return { ...storableReply(202, job, remaining), voidCharge };
    });
  },
});
