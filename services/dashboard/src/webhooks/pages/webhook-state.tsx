import { Badge } from '../../app/components/badge.tsx';
import { Quiet } from '../../app/components/page.tsx';
import { Time } from '../../app/components/time.tsx';
import type { EndpointView } from '../domain/endpoint-view.ts';

const looks = {
  active: { tone: 'ok', text: 'Active' },
  paused: { tone: 'neutral', text: 'Paused' },
  disabled: { tone: 'danger', text: 'Disabled' },
} as const;

export function WebhookState({ state }: Pick<EndpointView, 'state'>) {
  const { tone, text } = looks[state];
  return <Badge tone={tone}>{text}</Badge>;
}

type Health = Pick<EndpointView, 'failingSinceMs' | 'lastSuccessAtMs'>;

/** The latest success, or since when no attempt has succeeded. */
export function WebhookHealth({ failingSinceMs, lastSuccessAtMs }: Health) {
  if (failingSinceMs !== undefined) {
    return (
      <Badge tone="warning">
        Failing since <Time ms={failingSinceMs} />
      </Badge>
    );
  }
  if (lastSuccessAtMs === undefined) return <Quiet>No success yet</Quiet>;
  return (
    <span>
      Succeeded <Time ms={lastSuccessAtMs} />
    </span>
  );
}

/** For example "signal.confirmed and 3 others". */
export function EventsText({ eventTypes, total }: { eventTypes: readonly string[]; total: number }) {
  const [first, ...others] = eventTypes;
  if (eventTypes.length === total) return `All ${total} types`;
  return (
    <span>
      <span className="code">{first}</span>
      {others.length > 0 && ` and ${others.length} ${others.length === 1 ? 'other' : 'others'}`}
    </span>
  );
}
