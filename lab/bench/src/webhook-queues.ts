import type { Collection, Db, Document } from 'mongodb';
import { insertInBatches } from './batched-insert.ts';
import { percentile } from './statistics.ts';

interface Queue {
  workspaceId: string;
  endpointId: string;
}

const body = JSON.stringify({ type: 'scan.failed', timestamp: new Date(0).toISOString(), data: {}, sequence: 1 });
const picks = 500;
/** What a full turn of an endpoint asks for: its ten attempts, and whether there are more. */
const pickSize = 11;

export interface PickResult {
  queued: number;
  keysExamined: number;
  p50Ms: number;
  p99Ms: number;
}

/** Queues due deliveries to an endpoint, without the service, and makes its queue ready. */
export async function queueDeliveries(
  db: Db,
  { workspaceId, endpointId }: Queue,
  count: number,
  say: (line: string) => void,
): Promise<void> {
  const now = new Date();
  const made = { workspaceId, endpointId, eventType: 'scan.failed', eventAt: now, createdAt: now, dueAt: now, body };
  const state = { state: 'pending', attempts: [], tries: 0, lane: 0, extra: null, token: '' };
  await insertInBatches<Document>({
    collection: db.collection('deliveries'),
    count,
    documentOf: (n) => ({
      _id: `dlv_${endpointId.slice(4)}${n}` as never,
      eventId: `evt_queued${n}`,
      sequence: n + 1,
      ...made,
      ...state,
    }),
    what: 'deliveries',
    say,
  });
  const announced = { $set: { readyAt: now, isWaiting: true }, $inc: { changes: 1 } };
  await db.collection('queues').updateOne({ _id: endpointId as never }, announced);
}

/** Measures the search of the dispatcher for due deliveries of one endpoint. */
export async function measurePick(db: Db, queue: Queue, queued: number): Promise<PickResult> {
  const deliveries: Collection = db.collection('deliveries');
  const due = { ...queue, lane: 0, dueAt: { $type: 'date' as const } };
  const find = () => deliveries.find(due, { hint: 'due' }).sort({ dueAt: 1 }).limit(pickSize);
  const { executionStats } = await find().explain('executionStats');
  const times: number[] = [];
  for (let n = 0; n < picks; n++) {
    const startMs = performance.now();
    await find().toArray();
    times.push(performance.now() - startMs);
  }
  return {
    queued,
    keysExamined: executionStats.totalKeysExamined,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
  };
}
