import type { z } from 'zod';
import { pageLimits } from '../../contract/schemas.ts';
import type { AuthenticatedExchange, Exchange } from '../../http/exchange.ts';
import { jsonReply } from '../../http/reply/reply.ts';
import { runIdempotently } from '../../idempotency/run-idempotently.ts';
import type { RunOnce } from '../../idempotency/run-once.ts';
import type { Route } from '../route.ts';
import type { jobResultsQuery, listJobsQuery } from './contract.ts';
import type { JobRequest, Jobs } from './jobs.ts';

export function listJobs(jobs: Pick<Jobs, 'list'>): Route {
  return async (exchange) => {
    const { limit = pageLimits.default, ...filters } = exchange.input.query as z.output<typeof listJobsQuery>;
    return jsonReply(200, await jobs.list({ ...filters, limit }, exchange as AuthenticatedExchange));
  };
}

export function getJob(jobs: Pick<Jobs, 'get'>): Route {
  return async (exchange) => jsonReply(200, await jobs.get(jobRequestOf(exchange)));
}

export function getJobResults(jobs: Pick<Jobs, 'results'>): Route {
  return async (exchange) => {
    const query = exchange.input.query as z.output<typeof jobResultsQuery>;
    return jsonReply(200, await jobs.results(jobRequestOf(exchange), query));
  };
}

export function cancelJob(jobs: Pick<Jobs, 'cancel'>, runOnce: RunOnce): Route {
  return (exchange, headers) => {
    const request = jobRequestOf(exchange);
    return runIdempotently(
      { exchange: exchange as AuthenticatedExchange, headers, runOnce, operation: 'cancelJob' },
      {
        content: () => ({ job_id: request.jobId }),
        async execute() {
          const { status, headers, body } = jsonReply(200, await jobs.cancel(request));
          return { status, headers, body: body ?? Buffer.alloc(0), voidCharge: undefined };
        },
      },
    );
  };
}

function jobRequestOf(exchange: Exchange): JobRequest {
  const { caller, origin, deadline, input } = exchange as AuthenticatedExchange;
  return { caller, origin, deadline, jobId: input.params.job_id ?? '' };
}
