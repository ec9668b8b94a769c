import { inEveryEnvironment } from '@shopscope/environment';
import type { CollectionDefinitions } from '@shopscope/mongo';
import { storeHistoryIndexes } from '../../changes/outbound/store-histories.ts';
import { listImportIndexes } from '../../lists/outbound/list-imports.ts';
import { mcpUnitsIndexes } from '../../mcp/outbound/mcp-units.ts';
import { auditOutboxIndexes } from '../../people/outbound/audit-outbox.ts';
import { authCollections } from '../../people/outbound/auth-collections.ts';
import { freeWorkspaceIndexes } from '../../people/outbound/free-workspaces.ts';
import { addressChangeIndexes } from '../../people/outbound/people.ts';
import { requestBatchIndexes } from '../../requests/outbound/request-batches.ts';
import { statusDayIndexes } from '../../status/outbound/status-days.ts';
import { storeLookupIndexes } from '../../stores/outbound/store-lookups.ts';
import { keyActivityIndexes } from '../../usage/outbound/key-activity.ts';
import { alertMailIndexes } from '../../webhooks/outbound/alert-mails.ts';
import { alertIndexes } from '../../webhooks/outbound/alerts.ts';
import { developmentMailIndexes } from '../outbound/development-mails.ts';

const perWorkspace = 'a small document per workspace or less';
const expiring = 'a document per use by a person, which expires';

/** All collections of the service. */
export const collections = {
  ...authCollections,
  development_mails: { indexes: developmentMailIndexes, unsharded: 'empty in production' },
  key_activity: {
    indexes: keyActivityIndexes,
    shardKey: { workspaceId: 1 },
    uniqueId: '_id begins with the workspace',
  },
  ...inEveryEnvironment({
    request_batches: {
      indexes: requestBatchIndexes,
      shardKey: { workspaceId: 1 },
      uniqueId: '_id begins with a request id, which is random',
    },
    mcp_units: { indexes: mcpUnitsIndexes, unsharded: expiring },
    store_lookups: { indexes: storeLookupIndexes, unsharded: expiring },
    store_histories: { indexes: storeHistoryIndexes, unsharded: expiring },
    list_imports: { indexes: listImportIndexes, unsharded: expiring },
  }),
  audit_outbox: { indexes: auditOutboxIndexes, unsharded: 'the entries that wait' },
  address_changes: { indexes: addressChangeIndexes, unsharded: expiring },
  free_workspaces: { indexes: freeWorkspaceIndexes, unsharded: perWorkspace },
  status_days: { indexes: statusDayIndexes, unsharded: 'a document per day' },
  // As in keys, the keys of both environments share a collection.
  dashboard_keys: { indexes: [], unsharded: perWorkspace },
  webhook_alerts: { indexes: alertIndexes, unsharded: perWorkspace },
  webhook_mails: { indexes: alertMailIndexes, unsharded: 'the mails that wait' },
} as const satisfies CollectionDefinitions;
