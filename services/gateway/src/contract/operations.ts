import { graphqlOperations } from './announced/graphql.ts';
import { jobOperations } from './announced/jobs.ts';
import { listOperations } from './announced/lists.ts';
import { signalOperations } from './announced/signals.ts';
import { watchlistOperations } from './announced/watchlists.ts';
import { webhookOperations } from './announced/webhooks.ts';
import type { Operation } from './operation.ts';
import { servedOperations } from './served.ts';

/** All operations, served and announced: the table behind openapi.json, routing and the service index. */
export const operations: readonly Operation[] = [
  ...servedOperations,
  ...signalOperations,
  ...listOperations,
  ...watchlistOperations,
  ...jobOperations,
  ...webhookOperations,
  ...graphqlOperations,
];
