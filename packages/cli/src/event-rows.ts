import type { Event } from '@shopscope/client';
import { counted, plain } from './table.ts';

/** One line of an event: time, place in the sequence, type, and what it is about. */
export function eventLine({ created_at, sequence, type, data, related }: Event): string {
  const about = aboutOf(type, data) || related?.id || '';
  return `${[created_at.slice(0, 19).replace('T', ' '), String(sequence).padStart(6), type.padEnd(22), plain(about)].join('  ').trimEnd()}\n`;
}

/** The members of the data that a person looks for. An unknown type is read by the names of the known types' members. */
function aboutOf(type: string, data: Event['data']): string {
  const text = (name: string) => (typeof data[name] === 'string' || typeof data[name] === 'number' ? data[name] : '');
  const { error } = data as { error?: { code?: string } };
  const change = data.from || data.to ? `${text('from') || '–'} → ${text('to') || '–'}` : '';
  // The type of a signal or a job. The type of the event has its own column.
  const kind = type.startsWith('signal.') || type.startsWith('job.') ? text('type') : '';
  const percent = text('percent') === '' ? '' : `${text('percent')} %`;
  const days = text('days_left') === '' ? '' : `${counted(Number(text('days_left')), 'day')} left`;
  const names = ['domain', 'name', 'url', 'key_id', 'unit'].map(text);
  return [...names, kind, text('technology'), change, percent, days, text('reason'), text('state'), error?.code ?? '']
    .filter((part) => part !== '')
    .join(' ');
}
