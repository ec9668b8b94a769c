import type { components } from '@shopscope/client';
import { pairs, table } from '../table.ts';
import type { Screen } from '../terminal.ts';

type Delivery = components['schemas']['Delivery'];
type Attempt = components['schemas']['DeliveryAttempt'];

export const deliveryHeadings = ['DELIVERY', 'EVENT', 'TYPE', 'STATE', 'ATTEMPTS', 'LAST ANSWER', 'CREATED'];
export const deliveryRow = (delivery: Delivery): string[] => [
  delivery.id,
  delivery.event_id,
  delivery.event_type,
  delivery.state,
  String(delivery.attempts.length),
  outcomeOf(delivery.attempts.at(-1)),
  delivery.created_at,
];

const outcomeOf = (attempt: Attempt | undefined): string => String(attempt?.status ?? attempt?.error ?? '–');

export function deliveryText(delivery: Delivery, screen: Screen): string {
  const about = pairs([
    ['Delivery', delivery.id],
    ['Webhook', delivery.webhook_id],
    ['Event', delivery.event_id],
    ['Type', delivery.event_type],
    ['Sequence', String(delivery.sequence)],
    ['State', delivery.state],
    ['Next attempt', delivery.next_attempt_at ?? '–'],
    ['Created', delivery.created_at],
  ]);
  const rows = delivery.attempts.map((each) => [each.at, outcomeOf(each), String(each.latency_ms), each.body_excerpt]);
  return rows.length === 0 ? about : `${about}\n${table(['ATTEMPT', 'ANSWER', 'MS', 'BODY'], rows, screen)}`;
}

export const attemptText = (attempt: Attempt): string =>
  pairs([
    ['Answer', outcomeOf(attempt)],
    ['Latency', `${attempt.latency_ms} ms`],
    ['Body', attempt.body_excerpt || '–'],
  ]);

export const isSuccess = ({ status }: Attempt): boolean => status !== null && status >= 200 && status <= 299;
