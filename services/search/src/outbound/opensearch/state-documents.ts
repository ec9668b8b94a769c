import { failureOf, fromOpenSearch, type OpenSearch } from '@shopscope/opensearch';

/** A document as it was read. A write that names it succeeds only if the document is still the same. */
export interface ReadDocument<Value> {
  value: Value;
  seqNo: number;
  primaryTerm: number;
}

/** The state that all instances share, by the id of its document. */
export interface StateDocuments {
  /** Without `timeoutMs`, the time limit is that of the client. */
  read<Value>(id: string, options?: { timeoutMs: number }): Promise<ReadDocument<Value> | undefined>;
  /** `before` is undefined if there was no document. Resolves to false, and changes nothing, if another writer came first. */
  write<Value>(id: string, value: Value, before: ReadDocument<Value> | undefined): Promise<boolean>;
}

/**
 * Keeps state in an index of its own. A read by id returns the latest acknowledged write of any instance, without a refresh.
 *
 * - The index does not exist -> reads find nothing, and `prepare` makes it.
 * - A node is lost -> another one has a copy, as far as there are other nodes.
 */
export function createStateDocuments({
  client,
  indexPrefix,
}: OpenSearch): StateDocuments & { prepare(): Promise<void> } {
  const index = `${indexPrefix}state`;
  return {
    async prepare() {
      const settings = { number_of_shards: 1, auto_expand_replicas: '0-2' };
      try {
        // Documents are only read by id.
        await client.indices.create({ index, body: { settings: { index: settings }, mappings: { dynamic: false } } });
      } catch (error) {
        if (!isPresent(error)) throw fromOpenSearch(error);
      }
    },

    async read<Value>(id: string, options?: { timeoutMs: number }) {
      const bounds = options ? { requestTimeout: Math.max(1, Math.floor(options.timeoutMs)) } : {};
      try {
        const { body } = await client.get({ index, id }, bounds);
        const { _source, _seq_no, _primary_term } = body;
        return { value: _source as Value, seqNo: _seq_no as number, primaryTerm: _primary_term as number };
      } catch (error) {
        if (failureOf(error) === 'not_found') return undefined;
        throw fromOpenSearch(error);
      }
    },

    async write<Value>(id: string, value: Value, before: ReadDocument<Value> | undefined) {
      const expected = before
        ? { if_seq_no: before.seqNo, if_primary_term: before.primaryTerm }
        : { op_type: 'create' as const };
      try {
        await client.index({ index, id, body: value as Record<string, unknown>, ...expected });
        return true;
      } catch (error) {
        if (failureOf(error) === 'version_conflict') return false;
        throw fromOpenSearch(error);
      }
    },
  };
}

const isPresent = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('resource_already_exists_exception');
