import { Badge } from '../../app/components/badge.tsx';
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
