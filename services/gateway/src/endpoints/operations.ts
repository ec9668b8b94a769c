import type { Operation } from '../contract/operation.ts';
import { announcedSignalOperations } from './announced/events.ts';
import { announcedGraphqlOperations } from './announced/graphql.ts';
import { announcedListOperations } from './announced/lists.ts';
import { announcedWatchlistOperations } from './announced/watchlists.ts';
import { announcedWebhookOperations } from './announced/webhooks.ts';
import { servedOperations } from './served.ts';

/** All operations, served and announced: the table behind openapi.json, routing and the service index. */
export const operations: readonly Operation[] = [
  ...servedOperations,
  ...announcedSignalOperations,
  ...announcedListOperations,
  ...announcedWatchlistOperations,
  ...announcedWebhookOperations,
  ...announcedGraphqlOperations,
];
