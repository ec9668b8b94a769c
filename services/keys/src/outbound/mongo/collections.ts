import type { CollectionDefinitions } from '@shopscope/mongo';
import { outboxCollections } from '@shopscope/outbox';
import { auditIndexes } from './audit-entries.ts';
import { keyRequestIndexes } from './key-requests.ts';
import { keyIndexes } from './keys.ts';
import { workspaceIndexes } from './workspaces.ts';

/** All collections of the service. */
export const collections = {
  keys: { indexes: keyIndexes, unsharded: 'some small documents per workspace, found by id, workspace or fingerprint' },
  workspaces: { indexes: workspaceIndexes, unsharded: 'one small document per workspace, found by id, name or plan' },
  plans: { indexes: [], unsharded: 'some documents' },
  markers: { indexes: [], unsharded: 'some documents' },
  pepper_checks: { indexes: [], unsharded: 'some documents' },
  key_requests: { indexes: keyRequestIndexes, unsharded: 'a document per created key, for a day' },
  audit_entries: {
    indexes: auditIndexes,
    shardKey: { workspaceId: 1 },
    uniqueId: 'ids are random, and a repeated call names the same workspace',
    scatters: { 'find _id': 'a repeated call must not have an id of another workspace' },
  },
  audit_heads: { indexes: [], shardKey: { _id: 1 }, idBegins: 'workspaceId' },
  ...outboxCollections,
} as const satisfies CollectionDefinitions;
