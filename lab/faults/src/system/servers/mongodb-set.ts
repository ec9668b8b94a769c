import { MongoClient } from 'mongodb';
import { askTimeoutMs, instantOf, others, type ServerNode } from './server-node.ts';

interface Status {
  term: number;
  members: { state: number; health: number }[];
}

/** After a step down, a former primary cannot become primary again for this time. */
const stepDownS = 20;
const primaryState = 1;
const secondaryState = 2;

/** Asks each member of a replica set over a connection of its own. An answer therefore does not depend on what a driver knows. */
export function createMongodbSet(nodes: readonly ServerNode[]) {
  const ask = async <T>({ port }: ServerNode, work: (client: MongoClient) => Promise<T>): Promise<T> => {
    const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
      serverSelectionTimeoutMS: askTimeoutMs,
      connectTimeoutMS: askTimeoutMs,
      socketTimeoutMS: 2 * askTimeoutMs,
    });
    return work(client).finally(() => client.close());
  };
  const primaryOnly = async (client: MongoClient) => {
    const { isWritablePrimary } = await client.db('admin').command({ hello: 1 });
    if (isWritablePrimary !== true) throw new Error('this member is not the primary');
  };
  const askPrimary = <T>(work: (client: MongoClient, node: ServerNode) => Promise<T>): Promise<T> =>
    Promise.any(
      nodes.map((node) =>
        ask(node, async (client) => {
          await primaryOnly(client);
          return work(client, node);
        }),
      ),
    );
  const statusOf = (client: MongoClient) => client.db('admin').command({ replSetGetStatus: 1 }) as Promise<Status>;
  /** A former primary still considers itself primary for a moment. Only a write of the majority shows that it is one. */
  const write = (client: MongoClient) =>
    client
      .db('faults')
      .collection<{ _id: string }>('probes')
      .updateOne(
        { _id: 'probe' },
        { $inc: { writes: 1 } },
        { upsert: true, writeConcern: { w: 'majority', wtimeoutMS: askTimeoutMs } },
      );
  const primary = () => askPrimary(async (_, node) => node.name);
  return {
    /** Resolves to the name of the primary. */
    primary,
    /** Resolves to the names of the other members. */
    secondaries: async (): Promise<string[]> => others(nodes, await primary()).map(({ name }) => name),
    /** Resolves to the number of elections since the first start of the set. */
    term: () => askPrimary(async (client) => (await statusOf(client)).term),
    stepDown: () => askPrimary((client) => client.db('admin').command({ replSetStepDown: stepDownS })),
    /** Resolves to the instant at which a write is acknowledged by the majority. */
    untilWritable: () => instantOf('a writable primary', () => askPrimary(write)),
    /** Resolves when there is a primary and every other member follows it. */
    untilWhole: () =>
      instantOf('a replica set with all members', async () => {
        const { members } = await askPrimary(statusOf);
        const isWhole = members.every(
          ({ state, health }) => health === 1 && (state === primaryState || state === secondaryState),
        );
        return isWhole || undefined;
      }),
  };
}
