import type { Job } from '@shopscope/client';
import { pairs } from './table.ts';

export const jobHeadings = ['JOB', 'DOMAIN OR DONE', 'STATE', 'CREATED', 'FINISHED', 'ERROR'];
const progressText = ({ progress: { total, done, failed } }: Job) =>
  `${done} of ${total}${failed > 0 ? `, ${failed} failed` : ''}`;

export const jobRow = (job: Job): string[] => [
  job.id,
  job.domain ?? progressText(job),
  job.state,
  job.created_at,
  job.finished_at ?? '–',
  job.error?.code ?? '–',
];

export function jobText(job: Job): string {
  const billed = Object.entries(job.billed).filter(([, units]) => units > 0);
  return pairs([
    ['Job', job.id],
    job.domain === null ? ['Type', job.type] : ['Domain', job.domain],
    ['State', job.state],
    job.domain === null ? ['Done', progressText(job)] : ['Attempts', String(job.attempts)],
    ['Billed', billed.map(([unit, units]) => `${units} ${unit}`).join(', ') || 'nothing'],
    ['Created', job.created_at],
    ['Finished', job.finished_at ?? '–'],
    ...(job.error ? [['Error', `${job.error.code}: ${job.error.message}`] as [string, string]] : []),
  ]);
}
