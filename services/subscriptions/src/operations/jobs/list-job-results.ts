import type { Environment, Tenant } from '@shopscope/environment';
import { invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { BulkJob } from '../../domain/bulk-job.ts';
import type { ExportPart } from '../../domain/export.ts';
import type { JobResult } from '../../domain/job-step.ts';
import { domainOf } from '../../domain/member.ts';
import type { ShownStep } from '../../outbound/mongo/job-steps.ts';
import type { Dependencies } from '../dependencies.ts';
import { findJob, jobRefOf } from './find-job.ts';

const maxLimit = 200;

export interface ResultQuery {
  id: string;
  afterDomain: string;
  /** Of an export: the last part of the page before. */
  afterPart?: number | undefined;
  limit: number;
}

export interface ResultPage {
  /** Empty of an export. */
  results: JobResult[];
  /** The parts of an export. */
  parts: NumberedPart[];
  hasMore: boolean;
  type: BulkJob['type'];
}

/** A part, with its number from 1. */
export type NumberedPart = ExportPart & { part: number };

/**
 * Returns the results that the job has so far, in the order of the domains. A page with large stores is shorter than the limit. An export has
 * parts in place of results.
 */
export async function listJobResults<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  { id, afterDomain, afterPart = 0, limit }: ResultQuery,
  context: CallContext,
): Promise<ResultPage> {
  if (!(limit >= 1 && limit <= maxLimit)) throw invalidField('limit', `must be from 1 to ${maxLimit}`);
  if (afterDomain && domainOf(afterDomain) !== afterDomain) throw invalidField('after_domain', 'must be a domain');
  const { type } = await findJob(deps, tenant, id, context);
  const ref = jobRefOf(tenant, id);
  const { deadline } = context;
  if (type === 'export') {
    // The step of a part has the number before.
    const found = await deps.jobSteps.listParts(ref, afterPart, limit + 1, deadline.timeoutMs());
    const parts = found.slice(0, limit).map(({ number, part }) => ({ ...part, part: number + 1 }));
    return { results: [], parts, hasMore: found.length > limit, type };
  }
  // A further row tells whether there is a further page.
  const { steps, hasMore } = await deps.jobSteps.listShown(ref, afterDomain, limit + 1, deadline.timeoutMs());
  const stored = steps.filter(({ refusal }) => refusal === null).map(({ number }) => number);
  const { rows, isCut } = await deps.jobResults.list(ref, stored, afterDomain, limit + 1, deadline.timeoutMs());
  const results = merged(steps, rows, afterDomain, isCut);
  return {
    results: results.slice(0, limit),
    parts: [],
    hasMore: results.length > limit || isCut || hasMore,
    type,
  };
}

/** Puts the results of all steps in order. With `isCut`, rows are missing behind the last one, and the page ends there. */
function merged(
  steps: readonly ShownStep[],
  rows: readonly (JobResult & { step: number })[],
  afterDomain: string,
  isCut: boolean,
): JobResult[] {
  const byStep = Map.groupBy(rows, ({ step }) => step);
  const last = rows.at(-1)?.step;
  const results: JobResult[] = [];
  for (const { number, inputs, refusal } of steps) {
    if (refusal === null) results.push(...(byStep.get(number) ?? []));
    else results.push(...inputs.filter(({ domain }) => domain > afterDomain).map((input) => refused(input, refusal)));
    if (isCut && number === last) break;
  }
  return results;
}

const refused = (input: ShownStep['inputs'][number], reason: NonNullable<ShownStep['refusal']>): JobResult => ({
  ...input,
  match: 'error',
  reason,
  scanJobId: null,
  store: null,
});
