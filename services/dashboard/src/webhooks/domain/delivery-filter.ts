import { dayMs, hourMs } from '@shopscope/clock/durations';

export const deliveryStates = ['pending', 'delivering', 'succeeded', 'retrying', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** How far back the deliveries of a filter go. Without one, the page has all that are kept. */
export const deliveryTimes = {
  '1h': { label: 'Last hour', ms: hourMs },
  '24h': { label: 'Last 24 hours', ms: dayMs },
  '7d': { label: 'Last 7 days', ms: 7 * dayMs },
} as const;
export type DeliveryTime = keyof typeof deliveryTimes;

export interface DeliveryFilter {
  /** The endpoint. An empty string selects all, also deleted ones. */
  webhookId: string;
  state: DeliveryState | undefined;
  /** An empty string selects all. */
  eventId: string;
  time: DeliveryTime | undefined;
}

const idOf = (prefix: string, text: string | null): string => {
  const id = (text ?? '').trim();
  return new RegExp(`^${prefix}_[0-9a-z]{1,60}$`).test(id) ? id : '';
};
const isTime = (text: string): text is DeliveryTime => Object.hasOwn(deliveryTimes, text);

/** Reads a filter from a URL. Values that a filter cannot have filter nothing. */
export function deliveryFilterOf(search: URLSearchParams): DeliveryFilter {
  const time = search.get('time') ?? '';
  return {
    webhookId: idOf('whk', search.get('webhook')),
    state: deliveryStates.find((state) => state === search.get('state')),
    eventId: idOf('evt', search.get('event')),
    time: isTime(time) ? time : undefined,
  };
}

/** The position of a page: the last delivery of the page before it. */
export interface DeliveryPosition {
  createdAtMs: number;
  deliveryId: string;
}

export const positionText = ({ createdAtMs, deliveryId }: DeliveryPosition): string => `${createdAtMs}-${deliveryId}`;

/** A text that is no position leads to the first page. */
export function positionOf(text: string | undefined): DeliveryPosition | undefined {
  const [, createdAtMs, deliveryId] = /^(\d{1,15})-(dlv_[0-9a-z]{1,60})$/.exec(text ?? '') ?? [];
  return deliveryId === undefined ? undefined : { createdAtMs: Number(createdAtMs), deliveryId };
}
