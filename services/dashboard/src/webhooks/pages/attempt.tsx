import { Badge } from '../../app/components/badge.tsx';
import { formatNumber } from '../../app/components/formats.ts';
import { ownValue } from '../../app/domain/own-value.ts';
import type { AttemptView } from '../domain/endpoint-view.ts';

/** The reasons why no response came. */
const errors: Readonly<Record<string, string>> = {
  dns_failure: 'The host name has no address.',
  dns_unavailable: 'The host name could not be resolved.',
  blocked_address: 'The host does not have public addresses only.',
  connection_refused: 'The server did not accept the connection.',
  connection_reset: 'The server closed the connection before the end of its response.',
  egress_broken: 'The server could not be reached from our network.',
  tls_failure: 'There is no secure connection: the server needs TLS 1.2 or later and a valid certificate.',
  timeout: 'The server did not finish its response within 15 seconds.',
  invalid_response: 'The response is not valid HTTP.',
};

export const attemptErrorText = (error: string): string => ownValue(errors, error) ?? error;

/** The status of a receiver's answer, or that none came. */
export const AttemptStatus = ({ status }: Pick<AttemptView, 'status'>) =>
  status === undefined ? (
    <Badge tone="danger">No answer</Badge>
  ) : (
    <Badge tone={status >= 200 && status < 300 ? 'ok' : 'danger'}>
      <span className="amount">{status}</span>
    </Badge>
  );

/** The look of a body. Its lines break, so that it fits into a narrow page. */
export const sentText =
  'rounded border bg-sunken px-3 py-2 font-mono text-[13px] whitespace-pre-wrap [overflow-wrap:anywhere]';

/** What a receiver answered to one message. Its body is shown as text only. */
export function AttemptResult({ attempt }: { attempt: AttemptView }) {
  const { status, error, latencyMs, bodyExcerpt } = attempt;
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        <AttemptStatus status={status} />
        <span className="text-quiet">
          <span className="amount">{formatNumber(latencyMs)}</span> ms
        </span>
      </p>
      {status === undefined ? (
        <p>{attemptErrorText(error)}</p>
      ) : (
        <pre className={`${sentText} text-text`}>
          <bdi>{bodyExcerpt === '' ? 'No body' : bodyExcerpt}</bdi>
        </pre>
      )}
    </div>
  );
}
