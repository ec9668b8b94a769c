import type { Environment, Tenant } from '@shopscope/environment';
import { AppError, invalidField } from '@shopscope/errors';
import type { CallContext } from '@shopscope/grpc';
import type { ExportFormat } from '@shopscope/store-search';
import type { Piece } from '../../outbound/mongo/job-parts.ts';
import type { Dependencies } from '../dependencies.ts';
import { findJob, jobRefOf } from './find-job.ts';
import type { NumberedPart } from './list-job-results.ts';

const noSuchPart = () => new AppError('not_found', 'The job has no such part.');

/** Returns the piece of a part that has the position. */
export async function readExportPart<E extends Environment>(
  deps: Dependencies<E>,
  tenant: Tenant<E>,
  { id, part: number, fromByte }: { id: string; part: number; fromByte: number },
  context: CallContext,
): Promise<{ part: NumberedPart; format: ExportFormat; piece: Piece }> {
  const { deadline } = context;
  const job = await findJob(deps, tenant, id, context);
  if (!job.export || number < 1) throw noSuchPart();
  const ref = jobRefOf(tenant, id);
  const step = number - 1;
  const [found] = await deps.jobSteps.listParts(ref, step, 1, deadline.timeoutMs());
  if (found?.number !== step) throw noSuchPart();
  const { part } = found;
  const piece = await deps.jobParts.find(ref, { step, token: part.token }, fromByte, deadline.timeoutMs());
  if (!piece) throw invalidField('from_byte', `must be from 0 to ${part.bytes - 1}`);
  return { part: { ...part, part: number }, format: job.export.format, piece };
}
