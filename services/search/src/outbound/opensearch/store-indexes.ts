import { AppError } from '@shopscope/errors';
import {
  type BulkFailure,
  type BulkResponse,
  bulkFailures,
  type FailureKind,
  fromOpenSearch,
  type OpenSearch,
  requireWhole,
} from '@shopscope/opensearch';
import { indexDefinition, type VersionedDocument } from '@shopscope/store-search';

export interface Written {
  /** Documents that are in the index now. */
  written: number;
  /** Documents of which the index had a later version. */
  stale: number;
  /** Documents that the index does not accept, with the reason. */
  refused: readonly RefusedDocument[];
}

export interface RefusedDocument {
  id: string;
  reason: string;
}

/** A document, or null for its deletion. */
export type DocumentWrite = VersionedDocument | { id: string; version: number; document: null };

interface VersionedTarget {
  _id: string;
  version: number;
  version_type: 'external_gte';
}
type BulkLine = VersionedDocument['document'] | { index: VersionedTarget } | { delete: VersionedTarget };

export type StoreIndexes = ReturnType<typeof createStoreIndexes>;

type IndexBody = NonNullable<NonNullable<Parameters<OpenSearch['client']['indices']['create']>[0]>['body']>;

export interface IndexSize {
  shards: number;
  replicas: number;
}

/** The indexes of stores. The id of a document is the domain, and its external version is the sequence of the store. */
export function createStoreIndexes({ client, indexPrefix }: OpenSearch, size: IndexSize) {
  const pattern = `${indexPrefix}stores-*`;
  return {
    nameOf: (id: string): string => `${indexPrefix}stores-${id}`,

    async create(index: string): Promise<void> {
      try {
        await client.indices.create({ index, body: indexDefinition(size) as IndexBody });
      } catch (error) {
        throw fromOpenSearch(error);
      }
    },

    /** Does nothing if the index does not exist. */
    async delete(index: string): Promise<void> {
      try {
        await client.indices.delete({ index, ignore_unavailable: true });
      } catch (error) {
        throw fromOpenSearch(error);
      }
    },

    /** Returns all indexes of stores with the times at which they were made. */
    async list(): Promise<{ name: string; createdAtMs: number }[]> {
      try {
        const { body } = await client.indices.getSettings({ index: pattern, name: 'index.creation_date' });
        return Object.entries(body).map(([name, { settings }]) => {
          const { index } = settings as unknown as { index: { creation_date: string } };
          return { name, createdAtMs: Number(index.creation_date) };
        });
      } catch (error) {
        throw fromOpenSearch(error);
      }
    },

    /**
     * Writes and deletes documents with one request, and resolves when they are acknowledged. A document with an earlier version changes nothing, and one
     * with the same version replaces the document.
     *
     * - The engine cannot take a document now, or the index is gone -> rejects with `unavailable`. Other documents may be written; a repetition does not harm them.
     * - The index does not accept a document -> the document is `refused`, and the others are written.
     */
    async write(index: string, documents: readonly DocumentWrite[]): Promise<Written> {
      if (documents.length === 0) return { written: 0, stale: 0, refused: [] };
      const body = documents.flatMap<BulkLine>(({ id, version, document }) => {
        const target: VersionedTarget = { _id: id, version, version_type: 'external_gte' };
        return document ? [{ index: target }, document] : [{ delete: target }];
      });
      const failures = await sent(client.bulk({ index, body }));
      const later = failures.find(({ kind }) => retryable.includes(kind));
      if (later) throw unavailable(later);
      const refused = failures.filter(({ kind }) => kind !== 'version_conflict');
      return {
        written: documents.length - failures.length,
        stale: failures.length - refused.length,
        refused: refused.map(({ id, message }) => ({ id, reason: message })),
      };
    },

    /**
     * What was acknowledged before is visible afterwards, in every copy that a node has. A copy without a node does not count: the loss of a node
     * would else prevent each edition until the other nodes have copied its data.
     */
    async refresh(index: string): Promise<void> {
      try {
        const { body } = await client.indices.refresh({ index });
        const { successful = 0, failed = 0 } = body._shards ?? {};
        requireWhole({ _shards: { total: successful + failed, successful } });
      } catch (error) {
        throw fromOpenSearch(error);
      }
    },

    /** Returns the number of stores that searches see now. */
    async count(index: string): Promise<number> {
      try {
        const { body } = await client.count({ index });
        requireWhole({ _shards: body._shards });
        return body.count;
      } catch (error) {
        throw fromOpenSearch(error);
      }
    },
  };
}

async function sent(response: Promise<{ body: BulkResponse }>): Promise<BulkFailure[]> {
  try {
    return bulkFailures((await response).body);
  } catch (error) {
    throw fromOpenSearch(error);
  }
}

/** An index that is gone is forgotten soon, and a repetition uses the next one. */
const retryable: readonly FailureKind[] = ['unavailable', 'too_many_requests', 'not_found'];

const unavailable = ({ message }: BulkFailure) =>
  new AppError('unavailable', 'Searches are not available; retry shortly.', { internal: message });
