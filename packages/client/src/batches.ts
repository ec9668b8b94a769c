/** A request has at most 256 KB. The remainder is for the other members and the punctuation. */
const maxBatchBytes = 240_000;

export interface Batch {
  /** The index of the first domain in the input. */
  index: number;
  domains: string[];
}

/** Yields groups of at most `maxSize` domains. Each group fits into one request. */
export async function* createBatches(
  domains: AsyncIterable<string>,
  maxSize: number,
): AsyncGenerator<Batch, void, undefined> {
  const encoder = new TextEncoder();
  let batch: Batch = { index: 0, domains: [] };
  let bytes = 0;
  for await (const domain of domains) {
    const size = encoder.encode(JSON.stringify(domain)).length + 1;
    if (batch.domains.length === maxSize || (batch.domains.length > 0 && bytes + size > maxBatchBytes)) {
      yield batch;
      batch = { index: batch.index + batch.domains.length, domains: [] };
      bytes = 0;
    }
    batch.domains.push(domain);
    bytes += size;
  }
  if (batch.domains.length > 0) yield batch;
}
