import { MongoClient } from 'mongodb';
import type { Login, Security } from './security.ts';

const notYetInitialized = 94;
const notAMember = 93;
/** A primary that ends is replaced sooner than after the default of 10 s. A busy machine delays a heartbeat for less. */
const electionTimeoutMs = 4_000;
const states = { primary: 1, secondary: 2 };

interface Config {
  members: { _id: number; host: string }[];
}

interface Status {
  members: { state: number }[];
}

/**
 * One probe of a replica set: initiates it on the first start, corrects the addresses of its members, and creates the super user.
 * Rejects while there is no primary or a member has not joined; the caller probes again.
 */
export async function probeReplicaSet(ports: readonly number[], security: Security | undefined): Promise<void> {
  const [port = 0] = ports;
  if (security && (await hasSuperUser(port, security))) return;
  const tls: Connection = security && { tls: true, ca: security.ca };
  await withMongod(port, tls, async (client) => {
    const admin = client.db('admin');
    const members = ports.map((each, _id) => ({ _id, host: `127.0.0.1:${each}` }));
    const status = await admin.command({ replSetGetStatus: 1 }).catch(async (error: { code?: number }) => {
      if (error.code === notYetInitialized) {
        // A secondary that reads from another one stays behind while that one does not answer, and with it every majority write.
        const settings = { electionTimeoutMillis: electionTimeoutMs, chainingAllowed: false };
        return admin.command({ replSetInitiate: { _id: 'rs0', members, settings } });
      }
      if (error.code !== notAMember) throw error;
      // The ports have changed since the last start, so the members get their new addresses.
      const config = await client.db('local').collection<Config>('system.replset').findOne();
      return admin.command({ replSetReconfig: { ...config, members }, force: true });
    });
    const found = ((status as Partial<Status>).members ?? []).map(({ state }) => state);
    const joined = found.filter((state) => state === states.primary || state === states.secondary);
    if (joined.length < ports.length) throw new Error('a member has not joined yet');
    const primary = ports[found.indexOf(states.primary)];
    if (primary === undefined || !(await isWritable(primary, tls))) throw new Error('there is no primary yet');
    // While the server has no users, a local connection can create the first user without a login.
    if (!security) return;
    const { username, password } = security.superUser;
    await admin.command({ createUser: username, pwd: password, roles: ['root'] });
  });
}

/** One probe of a node, which may have no configuration yet. */
export const probeNode = (port: number): Promise<void> =>
  withMongod(port, undefined, async (client) => void (await client.db('admin').command({ ping: 1 })));

/** One probe of a member. Rejects until it is the primary or a secondary. */
export const probeMember = (port: number): Promise<void> =>
  withMongod(port, undefined, async (client) => {
    const { isWritablePrimary, secondary } = await client.db('admin').command({ hello: 1 });
    if (!isWritablePrimary && !secondary) throw new Error('the member has not joined yet');
  });

const hasSuperUser = (port: number, { ca, superUser }: Security): Promise<boolean> =>
  isWritable(port, { tls: true, ca, auth: superUser }).catch(() => false);

const isWritable = (port: number, connection: Connection): Promise<boolean> =>
  withMongod(port, connection, async (client) => {
    const { isWritablePrimary } = await client.db('admin').command({ hello: 1 });
    return isWritablePrimary === true;
  });

type Connection = { tls: true; ca: string; auth?: Login } | undefined;

/** A connection to one member, whatever its state is. */
async function withMongod<T>(
  port: number,
  connection: Connection,
  use: (client: MongoClient) => Promise<T>,
): Promise<T> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
    ...connection,
  });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}
