import { createAuthority } from '@shopscope/certificates';
import { dayMs } from '@shopscope/clock';
import { addGrants, createKafka } from '@shopscope/kafka';
import { type SecuredStackOptions, type Stack, startSecuredStack } from '@shopscope/local-stack';
import { createLogger, createRegistry } from '@shopscope/telemetry';
import { MongoClient } from 'mongodb';
import { kafkaGrants } from './kafka/grants.ts';
import { replayer, services } from './kafka/table.ts';
import { databases, migrator, mongodbRoles, mongodbUsers } from './mongodb.ts';
import { redisAcl, redisUsers } from './redis.ts';

export interface SecuredServersOptions
  extends Pick<
    SecuredStackOptions,
    'stateDir' | 'cacheDir' | 'ports' | 'kafkaHeapMaxMb' | 'withOpenSearch' | 'report' | 'abort'
  > {
  /** The password of a principal, also of `super`. It must stay the same at each start with the same data. */
  passwordOf(principal: string): string;
}

export const superUser = 'super';
export const principals: readonly string[] = [
  ...new Set([...services, ...Object.keys(databases), replayer, migrator, superUser]),
];
/** Longer than the servers of one start run. */
const certificateDays = 365;

/** MongoDB, Kafka and Redis on this machine with TLS, and with the users and rights of the tables, as in production. */
export async function startSecuredServers(options: SecuredServersOptions) {
  const { passwordOf, ...rest } = options;
  const validity = {
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + certificateDays * dayMs),
  };
  const authority = await createAuthority('data servers', validity);
  const server = await authority.issue('server', { uris: [], hosts: ['localhost', '127.0.0.1'], ...validity });
  const login = (username: string) => ({ username, password: passwordOf(username) });
  const stack = await startSecuredStack({
    ...rest,
    ca: authority.cert,
    ...server,
    superUser: login(superUser),
    kafkaUsers: [...services, replayer, migrator].map(login),
    redisAcl: redisUsers.map((each) => redisAcl(each, `>${passwordOf(each.user)}`)),
  });
  try {
    await makeMongodbUsers(stack.mongodb.url, authority.cert, passwordOf);
    await grant(stack.kafka.url, authority.cert, passwordOf(superUser));
  } catch (error) {
    await stack.stop();
    throw error;
  }
  return {
    stack,
    /** The authority that signs the servers' certificates of this start, in PEM. */
    ca: authority.cert,
    /** The settings with which a service logs in under its own name. */
    environmentOf: (service: string): Record<string, string> =>
      environmentOf(stack, authority.cert, { service, ...login(service) }),
    /** The settings of `--migrate` of a service, with the user of migrations. */
    migrationOf: (service: string): Record<string, string> =>
      environmentOf(stack, authority.cert, { service, ...login(migrator) }),
  };
}

async function makeMongodbUsers(url: string, ca: string, passwordOf: (user: string) => string): Promise<void> {
  const auth = { username: superUser, password: passwordOf(superUser) };
  const client = await MongoClient.connect(url, { ca, auth });
  const admin = client.db('admin');
  for (const { role, db, privileges } of mongodbRoles) {
    const { roles } = await client.db(db).command({ rolesInfo: role });
    await client.db(db).command({ [roles.length > 0 ? 'updateRole' : 'createRole']: role, privileges, roles: [] });
  }
  const { users } = await admin.command({ usersInfo: 1 });
  const there = new Set((users as { user: string }[]).map(({ user }) => user));
  for (const { user, roles } of mongodbUsers) {
    await admin.command({ [there.has(user) ? 'updateUser' : 'createUser']: user, pwd: passwordOf(user), roles });
  }
  await client.close();
}

async function grant(broker: string, ca: string, password: string): Promise<void> {
  const kafka = createKafka({
    brokers: [broker],
    clientId: superUser,
    topicPrefix: '',
    replicationFactor: 1,
    logger: createLogger({ service: 'access', instance: superUser, level: 'warn' }),
    registry: createRegistry({ service: 'access' }),
    tls: { ca },
    sasl: { mechanism: 'scram-sha-512', username: superUser, password },
  });
  await addGrants(kafka, kafkaGrants({ prefix: '' })).finally(() => kafka.close());
}

function environmentOf(
  stack: Stack,
  ca: string,
  { service, username, password }: { service: string; username: string; password: string },
) {
  const database = Object.entries(databases).find(([name]) => name === service)?.[1];
  const redis = redisUsers.find(({ user }) => user === username);
  return {
    KAFKA_BROKERS: stack.kafka.url,
    KAFKA_TOPIC_PREFIX: '',
    KAFKA_TLS: 'true',
    KAFKA_TLS_CA: ca,
    KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
    KAFKA_SASL_USERNAME: username,
    KAFKA_SASL_PASSWORD: password,
    ...(database && {
      MONGODB_URL: stack.mongodb.url,
      MONGODB_DATABASE: database,
      MONGODB_USERNAME: username,
      MONGODB_PASSWORD: password,
      MONGODB_TLS_CA: ca,
    }),
    ...(redis && {
      REDIS_URL: stack.redis.url,
      REDIS_KEY_PREFIX: redis.keyPrefix,
      REDIS_USERNAME: username,
      REDIS_PASSWORD: password,
      REDIS_TLS_CA: ca,
    }),
  };
}
