import { inEnvironment } from '@shopscope/environment';
import { type Handlers, tenantOf } from '@shopscope/grpc';
import type { SubscriptionsServiceService } from '@shopscope/proto';
import type { EveryEnvironment } from '../../operations/dependencies.ts';
import { cancelJob } from '../../operations/jobs/cancel-job.ts';
import { findJob } from '../../operations/jobs/find-job.ts';
import { listJobResults } from '../../operations/jobs/list-job-results.ts';
import { listJobs } from '../../operations/jobs/list-jobs.ts';
import { quoteListEnrich } from '../../operations/jobs/quote-list-enrich.ts';
import { readExportPart } from '../../operations/jobs/read-export-part.ts';
import { startExport } from '../../operations/jobs/start-export.ts';
import { startListEnrich } from '../../operations/jobs/start-list-enrich.ts';
import { decodeExport, encodePiece } from './encode-exports.ts';
import { decodeJobFilter, encodeJob, encodeQuote, encodeResults } from './encode-jobs.ts';

/** Every RPC of jobs. Each decodes the request, calls one operation in the environment of the call, and encodes the result. */
export const jobHandlers = (every: EveryEnvironment) =>
  ({
    quoteListEnrich: (request, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) =>
        encodeQuote(await quoteListEnrich(deps, tenant, request, context)),
      ),
    startListEnrich: (request, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
        job: encodeJob(await startListEnrich(deps, tenant, { ...request, maxUnits: request.maxUnits }, context)),
      })),
    startExport: (request, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
        job: encodeJob(await startExport(deps, tenant, decodeExport(request), context)),
      })),
    readExportPart: ({ jobId: id, ...request }, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) =>
        encodePiece(await readExportPart(deps, tenant, { id, ...request }, context)),
      ),
    getBulkJob: (request, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
        job: encodeJob(await findJob(deps, tenant, request.jobId, context)),
      })),
    listBulkJobs: (request, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => {
        const filter = decodeJobFilter(request);
        if (!filter) return { jobs: [], hasMore: false };
        const { rows, hasMore } = await listJobs(deps, tenant, filter, context);
        return { jobs: rows.map(encodeJob), hasMore };
      }),
    cancelBulkJob: (request, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) => ({
        job: encodeJob(await cancelJob(deps, tenant, request.jobId, context)),
      })),
    listBulkJobResults: ({ jobId: id, ...request }, context) =>
      inEnvironment(every, tenantOf(request, context), async (deps, tenant) =>
        encodeResults(await listJobResults(deps, tenant, { id, ...request }, context)),
      ),
  }) satisfies Partial<Handlers<typeof SubscriptionsServiceService>>;
