import type { ReactElement } from 'react';
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

const badges: Record<string, ReactElement> = {
  queued: <Badge tone="neutral">Queued</Badge>,
  running: <Badge tone="neutral">Running</Badge>,
  succeeded: <Badge tone="ok">Succeeded</Badge>,
  failed: <Badge tone="danger">Failed</Badge>,
  canceled: <Badge tone="neutral">Canceled</Badge>,
};

export const JobState = ({ state }: Pick<Job, 'state'>) =>
  ownValue(badges, state) ?? <Badge tone="unknown">{state}</Badge>;

/** How many stores of a job are done, for example "100 of 5,732 stores". */
export const progressText = ({ progress: { done, total } }: Pick<Job, 'progress'>): string =>
  `${formatNumber(done)} of ${formatNumber(total)} ${total === 1 ? 'store' : 'stores'}`;

/** The name of a job: the domain of a scan, or the number of its stores. */
export const jobTitle = ({ type, domain, progress: { total } }: Job): string =>
  domain === null
    ? `${typeName(type)} of ${formatNumber(total)} ${total === 1 ? 'store' : 'stores'}`
    : `${typeName(type)} of ${domain}`;

/** The path of a job's page below that of the workspace. */
export const jobPath = ({ id, type }: Pick<Job, 'id' | 'type'>): string =>
  type === 'scan' ? `/stores/scans/${id}` : `/jobs/${id}`;
