import type { Environment, Handles } from '@shopscope/environment';
import type { WorkspaceEventType } from '@shopscope/proto';
import type { Filters } from './filters.ts';

/** A URL of a workspace that receives its events. */
export interface Endpoint {
  id: string;
  workspaceId: string;
  url: string;
  eventTypes: WorkspaceEventType[];
  description: string;
  /** An empty list selects events of any watchlist and of none. */
  watchlistIds: string[];
  filters: Filters;
  /** The largest number of attempts in a minute. Null: no bound. */
  maxPerMinute: number | null;
  headerNames: string[];
  state: EndpointState;
  disabledReason: DisabledReason | null;
  createdAt: Date;
  updatedAt: Date;
}

export type EndpointState = 'active' | 'paused' | 'disabled';
export type DisabledReason = 'gone' | 'no_success';

/** What its owner has chosen. */
export type EndpointMembers = Pick<
  Endpoint,
  'url' | 'eventTypes' | 'description' | 'watchlistIds' | 'filters' | 'maxPerMinute'
>;

export interface Header {
  name: string;
  value: string;
}

/** A secret of an endpoint. The latest one comes first. */
export interface EndpointSecret {
  secret: string;
  /** The secret signs until this time. Null: without end. */
  until: Date | null;
}

/** An endpoint of one workspace. `environment` keeps the ids of another environment away. */
export interface EndpointRef<E extends Environment> extends Handles<E> {
  workspaceId: string;
  id: string;
}

/** The sentence about the reason in the event of a disabled endpoint. */
export const disabledReasons: Record<DisabledReason, string> = {
  gone: 'The endpoint answered 410.',
  no_success: 'No delivery succeeded for 5 days, and at least 20 attempts failed.',
};
