import type { CollectionDefinition, IndexDefinition } from '@shopscope/mongo';
import { secondFactorIndexes } from './second-factors.ts';

/**
 * Indexes of better-auth's collections. better-auth does not create them itself. Without them, two concurrent requests could make somebody
 * a member twice. Expired documents are deleted.
 */
const expiry: IndexDefinition = { key: { expiresAt: 1 }, options: { expireAfterSeconds: 0 } };

const indexes: Record<string, readonly IndexDefinition[]> = {
  user: [{ key: { email: 1 }, options: { unique: true } }],
  session: [{ key: { token: 1 }, options: { unique: true } }, { key: { userId: 1 }, options: {} }, expiry],
  account: [
    { key: { providerId: 1, accountId: 1 }, options: { unique: true } },
    { key: { userId: 1 }, options: {} },
  ],
  verification: [{ key: { identifier: 1 }, options: {} }, { key: { value: 1 }, options: {} }, expiry],
  organization: [{ key: { slug: 1 }, options: { unique: true } }],
  member: [
    { key: { organizationId: 1, userId: 1 }, options: { unique: true } },
    { key: { userId: 1 }, options: {} },
  ],
  invitation: [
    { key: { organizationId: 1, status: 1 }, options: {} },
    { key: { email: 1, status: 1 }, options: {} },
  ],
  twoFactor: secondFactorIndexes,
};

const unsharded = 'few documents per person, which better-auth finds by several fields';

export const authCollections = Object.fromEntries(
  Object.entries(indexes).map(([name, each]): [string, CollectionDefinition] => [name, { indexes: each, unsharded }]),
);
