import { Badge } from '../../app/components/badge.tsx';
import type { ShownState } from '../domain/delivery-view.ts';

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
