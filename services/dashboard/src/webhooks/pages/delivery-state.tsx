import { Badge } from '../../app/components/badge.tsx';
import type { AttemptView, ShownState } from '../domain/delivery-view.ts';

const looks = {
  pending: { tone: 'neutral', text: 'Pending' },
  delivering: { tone: 'neutral', text: 'Delivering' },
  succeeded: { tone: 'ok', text: 'Succeeded' },
  retrying: { tone: 'warning', text: 'Retrying' },
  failed: { tone: 'danger', text: 'Failed' },
  unknown: { tone: 'unknown', text: 'Not known' },
} as const;

export function DeliveryBadge({ state }: { state: ShownState }) {
  const { tone, text } = looks[state];
  return <Badge tone={tone}>{text}</Badge>;
}

export const stateText = (state: ShownState): string => looks[state].text;

const errorTexts: Readonly<Record<string, string>> = {
  dns_failure: 'Its name has no address',
  dns_unavailable: 'The name server did not answer',
  blocked_address: 'Its address is not public',
  connection_refused: 'Connection refused',
  connection_reset: 'Connection reset',
  egress_broken: 'Shopscope had no network',
  tls_failure: 'TLS failed',
  timeout: 'No response in time',
  invalid_response: 'The response is not HTTP',
};

/** What an attempt got: the status of a response, or why there was none. */
export function AttemptResult({ attempt }: { attempt: Pick<AttemptView, 'status' | 'error'> }) {
  const { status, error } = attempt;
  if (status === undefined)
    return <Badge tone="danger">{Object.hasOwn(errorTexts, error) ? errorTexts[error] : error}</Badge>;
  return (
    <Badge tone={status >= 200 && status <= 299 ? 'ok' : 'danger'}>
      <span className="amount">{status}</span>
    </Badge>
  );
}
