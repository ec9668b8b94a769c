import { Badge } from '../../app/components/badge.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { ownValue } from '../../app/domain/own-value.ts';
import type { Job } from '../operations/jobs.ts';

/** Types and states may grow, so an unknown one is shown as the API calls it. */
const types: Record<string, string> = { scan: 'Scan', enrich: 'Enrichment', export: 'Export', replay: 'Replay' };

export const typeName = (type: string): string => ownValue(types, type) ?? type;

export const jobTypes = ['scan', 'enrich'] as const;
export const jobStates = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const;

export const hasEnded = ({ state }: Pick<Job, 'state'>): boolean => state !== 'queued' && state !== 'running';

/** The state of a job, in a word and with the part that is done. */
export function JobState({ job: { state, progress } }: { job: Pick<Job, 'state' | 'progress'> }) {
  const { done, total } = progress;
  if (state === 'succeeded') return <Badge tone="ok">Succeeded</Badge>;
  if (state === 'failed') return <Badge tone="danger">Failed</Badge>;
  if (state === 'canceled') return <Badge tone="neutral">Canceled</Badge>;
  if (state === 'queued') return <Badge tone="neutral">Queued</Badge>;
  if (state !== 'running') return <Badge tone="unknown">{state}</Badge>;
  return <Badge tone="neutral">{total > 1 ? `${formatNumber(done)} of ${formatNumber(total)}` : 'Running'}</Badge>;
}

/** The name of a job: the domain of a scan, or the number of its stores. */
export const jobTitle = ({ type, domain, progress: { total } }: Job): string =>
  domain === null
    ? `${typeName(type)} of ${formatNumber(total)} ${total === 1 ? 'store' : 'stores'}`
    : `${typeName(type)} of ${domain}`;

/** The path of a job's page below that of the workspace. */
export const jobPath = ({ id, type }: Pick<Job, 'id' | 'type'>): string =>
  type === 'scan' ? `/stores/scans/${id}` : `/jobs/${id}`;
