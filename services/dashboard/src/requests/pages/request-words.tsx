import { Badge } from '../../app/components/badge.tsx';
import type { OutcomeClass } from '../domain/request-outcome.ts';
import type { RequestView } from '../operations/request-log.ts';

const looks = {
  succeeded: { tone: 'ok', word: 'OK' },
  refused: { tone: 'warning', word: 'Refused' },
  failed: { tone: 'danger', word: 'Failed' },
  no_response: { tone: 'danger', word: 'No response' },
} as const;

/** Shows how a request ended, with a word and the status. A caller that disconnected got no status. */
export function RequestStatus({ value }: { value: Pick<RequestView, 'status' | 'outcome' | 'outcomeClass'> }) {
  if (value.outcome === 'disconnected') return <Badge tone="neutral">Disconnected</Badge>;
  const { tone, word } = looks[value.outcomeClass];
  return (
    <Badge tone={tone}>
      {word}
      {value.status > 0 && <span className="amount">{value.status}</span>}
    </Badge>
  );
}

/** A value in the URL: no operation of the contract has the method and path. */
export const noOperation = 'none';

export const operationText = (operation: string): string =>
  operation === '' || operation === noOperation ? 'No such route' : operation;

export const outcomeClassTexts: Readonly<Record<OutcomeClass, string>> = {
  succeeded: 'Succeeded',
  refused: 'Refused (4xx)',
  failed: 'Failed (5xx)',
  no_response: 'No response',
};

/** Values in the URL, in addition to UTC days. */
export const recentTexts: Readonly<Record<string, string>> = {
  '15m': 'Last 15 minutes',
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
};

/** For example "3.2 ms", "143 ms", "1.24 s". */
export function durationText(ms: number): string {
  if (ms >= 999.5) return `${(ms / 1_000).toFixed(2)} s`;
  return ms < 9.95 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}
