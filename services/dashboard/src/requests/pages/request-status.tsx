import { Badge } from '../../app/components/badge.tsx';
import type { RequestView } from '../operations/request-log.ts';

const looks = {
  succeeded: { tone: 'ok', word: 'OK' },
  refused: { tone: 'warning', word: 'Refused' },
  failed: { tone: 'danger', word: 'Failed' },
  no_response: { tone: 'danger', word: 'No response' },
} as const;

/** How a request ended: a word and the status. A caller that disconnected got no status. */
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
