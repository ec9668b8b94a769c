import type { Environment, Handles } from '@shopscope/environment';
import type { AttemptError } from '@shopscope/proto';

/** An event for an endpoint. pending → delivering → succeeded | retrying → failed. */
export interface Delivery {
  id: string;
  workspaceId: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  sequence: number;
  /** When the event was made. */
  eventAt: Date;
  /** The JSON text that is sent. */
  body: string;
  state: DeliveryState;
  /** The latest attempts, in their order. */
  attempts: Attempt[];
  /** The attempts of the schedule so far. */
  tries: number;
  /** When the next attempt is due. Null if there is none. */
  dueAt: Date | null;
  createdAt: Date;
  lane: Lane;
  /** Present while an attempt outside of the schedule is due: whether the schedule continues after it. */
  extra: 'only' | 'then_schedule' | null;
}

export const deliveryStates = ['pending', 'delivering', 'succeeded', 'retrying', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** New events come before replayed ones. */
export const lanes = { live: 0, replay: 1 } as const;
export type Lane = (typeof lanes)[keyof typeof lanes];

export interface Attempt {
  at: Date;
  /** Null if no response came. */
  status: number | null;
  error: AttemptError | null;
  latencyMs: number;
  excerpt: string;
}

export interface DeliveryRef<E extends Environment> extends Handles<E> {
  workspaceId: string;
  id: string;
}

/** A delivery that this process sends, and the token that proves it. */
export interface LeasedDelivery extends Delivery {
  token: string;
}

/** How long deliveries are kept. */
export const deliveryRetentionDays = 30;
/** More attempts than the schedule has come from retries by hand. The oldest ones are then forgotten. */
export const maxAttempts = 30;
export const maxExcerptBytes = 1_024;
