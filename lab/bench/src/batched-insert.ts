import { type Collection, type Document, MongoBulkWriteError, type OptionalUnlessRequiredId } from 'mongodb';
import { createProgress } from './progress.ts';

export interface BatchedInsert<Inserted extends Document> {
  collection: Pick<Collection<Inserted>, 'insertMany'>;
  count: number;
  documentOf(n: number): OptionalUnlessRequiredId<Inserted>;
  /** The name of what is counted, for example `signals`. */
  what: string;
  say(line: string): void;
}

const documentsPerInsert = 10_000;
/** While one insert runs in MongoDB, the documents of the next one are made. */
const insertsAtOnce = 2;

/**
 * Inserts documents 0 to `count` - 1 directly into the collection, without the services. A document whose id exists does not change. If the
 * process is killed, any of the documents may be missing. The caller therefore records when all exist.
 */
export async function insertInBatches<Inserted extends Document>(options: BatchedInsert<Inserted>): Promise<void> {
  const { collection, count, documentOf, what, say } = options;
  const progress = createProgress({ what, total: count, say });
  let next = 0;
  let done = 0;
  const work = async () => {
    while (next < count) {
      const first = next;
      next = Math.min(first + documentsPerInsert, count);
      const documents = Array.from({ length: next - first }, (_, n) => documentOf(first + n));
      await collection.insertMany(documents, { ordered: false, writeConcern: { w: 1 } }).catch(ignoreDuplicates);
      done += documents.length;
      progress.update(done);
    }
  };
  await Promise.all(Array.from({ length: insertsAtOnce }, work));
}

const duplicateKey = 11_000;

function ignoreDuplicates(error: unknown): void {
  if (!(error instanceof MongoBulkWriteError) || error.code !== duplicateKey) throw error;
}
