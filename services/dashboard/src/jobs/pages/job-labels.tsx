import type { ReactElement } from 'react';
import { Badge } from '../../app/components/badge.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { ownValue } from '../../app/domain/own-value.ts';
import type { Job } from '../operations/jobs.ts';

/** Types and states may grow, so an unknown one is shown as the API calls it. */
const types: Record<string, string> = { scan: 'Scan', enrich: 'Enrichment', export: 'Export', replay: 'Replay' };

export const typeName = (type: string): string => ownValue(types, type) ?? type;

export const jobTypes = ['scan', 'enrich', 'export', 'replay'] as const;
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

/** For example "5,732 stores". A replay has events. */
function countText(type: string, count: number): string {
  const noun = type === 'replay' ? 'event' : 'store';
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** How much of a job is done, for example "100 of 5,732 stores". */
export const progressText = ({ type, progress: { done, total } }: Pick<Job, 'type' | 'progress'>): string =>
  `${formatNumber(done)} of ${countText(type, total)}`;

/** The name of a job: the domain of a scan, or the number of its stores or events. A replay counts its events when it begins. */
export function jobTitle({ type, domain, progress: { total } }: Job): string {
  if (type === 'replay' && total === 0) return 'Replay of events';
  return `${typeName(type)} of ${domain ?? countText(type, total)}`;
}

/** The path of a job's page below that of the workspace. */
export const jobPath = ({ id, type }: Pick<Job, 'id' | 'type'>): string =>
  type === 'scan' ? `/stores/scans/${id}` : `/jobs/${id}`;
