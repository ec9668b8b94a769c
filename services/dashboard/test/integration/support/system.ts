import { createVisitor } from '@shopscope/browser/visitor';
import { createGrpcClient } from '@shopscope/grpc';
import { deriveId, newId } from '@shopscope/ids';
import { loadConfig as keysConfig, startKeys } from '@shopscope/keys';
import { freePort } from '@shopscope/local-stack';
import { loadConfig as meteringConfig, startMetering } from '@shopscope/metering';
import { DashboardServiceService, KeysServiceService, MeteringServiceService } from '@shopscope/proto';
import {
  serviceEnvironment,
  silentTelemetry,
  startTcpProxy,
  type TestNamespace,
  testNamespace,
  waitUntil,
} from '@shopscope/testing';
import { MongoClient } from 'mongodb';
import { defaultPageLimits } from '../../../src/app/domain/page-limits.ts';
import { loadConfig, startDashboard } from '../../../src/index.ts';
import { createAuth } from '../../../src/people/outbound/auth.ts';
import { quickHash } from './quick-hash.ts';

/** Tests send requests faster than people. Tests of the limits set their own. */
const wideLimits = Object.fromEntries(
  Object.keys(defaultPageLimits)
    .filter((name) => name.includes('PER_MINUTE'))
    .map((name) => [name, '1000000']),
);

/** Keys and metering. Dashboards of several systems can call them. */
async function startBackends(namespace: TestNamespace) {
  const pepper = { KEY_PEPPER: 'a-development-pepper-of-32-characters' };
  const [keys, metering] = await Promise.all([
    startKeys(keysConfig({ ...serviceEnvironment(namespace, 'keys'), ...pepper })),
    startMetering(meteringConfig(serviceEnvironment(namespace, 'metering')), {
      onFatal(error) {
        throw error;
      },
    }),
  ]);
  return { keys, metering };
}

type Backends = Awaited<ReturnType<typeof startBackends>>;

/**
 * The dashboard, keys and metering in this process, on the real MongoDB, Kafka and Redis of a namespace of its own.
 * `person` makes an account as a sign-up does; `signIn` returns a client with the person's cookies.
 *
 * With `backends`, the `services` of a running system, the dashboard alone is new. It has a namespace of its own, to which keys and
 * metering send no events.
 */
export async function startTestSystem(env: Record<string, string> = {}, backends?: Backends) {
  const namespace = testNamespace('dash');
  const { keys, metering } = backends ?? (await startBackends(namespace));
  const proxies = {
    keys: await startTcpProxy(new URL(`http://${keys.grpcAddress}`)),
    metering: await startTcpProxy(new URL(`http://${metering.grpcAddress}`)),
  };
  const port = await freePort();
  // Nobody listens there until `startGatewayOf` (support/gateway.ts).
  const gatewayPort = await freePort();
  const schedulerPort = await freePort();
  const webhooksPort = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const secret = 'a development secret of at least 32 characters';
  const service = await startDashboard(
    loadConfig({
      ...serviceEnvironment(namespace, 'dashboard'),
      HTTP_PORT: String(port),
      KEYS_ADDRESS: `127.0.0.1:${proxies.keys.port}`,
      METERING_ADDRESS: `127.0.0.1:${proxies.metering.port}`,
      // Only tests of pages about stores and technologies start profiles.
      PROFILES_ADDRESS: '127.0.0.1:1',
      SCAN_SCHEDULER_ADDRESS: `127.0.0.1:${schedulerPort}`,
      // The stand-ins of a gateway (support/gateway.ts) are behind one port.
      SEARCH_ADDRESS: `127.0.0.1:${schedulerPort}`,
      WEBHOOKS_ADDRESS: `127.0.0.1:${webhooksPort}`,
      GATEWAY_ADDRESS: `127.0.0.1:${gatewayPort}`,
      DASHBOARD_URL: url,
      PUBLIC_API_URL: 'http://127.0.0.1:8080',
      PUBLIC_SITE_URL: url,
      SESSION_SECRET: secret,
      DEVELOPMENT_MAIL: 'true',
      ...wideLimits,
      ...env,
    }),
  );
  const keysClient = createGrpcClient({ definition: KeysServiceService, address: keys.grpcAddress as string });
  const meteringClient = createGrpcClient({
    definition: MeteringServiceService,
    address: metering.grpcAddress as string,
  });
  const dashboardClient = createGrpcClient({
    definition: DashboardServiceService,
    address: service.grpcAddress as string,
  });
  const mongo = await MongoClient.connect(namespace.mongoUrl);
  const db = mongo.db(namespace.databaseName('dashboard'));
  const telemetry = silentTelemetry();
  const auth = createAuth({
    mongo: { client: mongo, db },
    url,
    secret,
    openSignUp: true,
    isInvited: async () => true,
    sendMail: async () => {},
    logger: telemetry.logger,
  });
  // Tests of the forms for sign-up and passwords use the dashboard's own hashes.
  (await auth.$context).password.hash = quickHash;

  const password = 'correct horse battery staple';
  let people = 0;
  return {
    url,
    secret,
    namespace,
    db,
    auth,
    services: { dashboard: service, keys, metering },
    /** The ports at which the dashboard calls gateways, the scan-scheduler and webhooks. */
    ports: { gateway: gatewayPort, scheduler: schedulerPort, webhooks: webhooksPort },
    /**
     * The proxies between the dashboard and the services. A test can refuse connections, as if a service were
     * unavailable.
     */
    proxies,
    clients: { keys: keysClient, metering: meteringClient, dashboard: dashboardClient },
    password,
    /** The mails to an address, the oldest first. Waits until there are `count`. */
    async mails(to: string, count = 1) {
      const collection = db.collection<{ to: string; subject: string; text: string }>('development_mails');
      const find = () => collection.find({ to }).sort({ sentAt: 1 }).toArray();
      await waitUntil(`${count} mails to ${to}`, async () => (await find()).length >= count);
      return find();
    },
    /** Path and query of the first link in the latest mail to an address. */
    async mailedLink(to: string, count = 1): Promise<string> {
      const link = (await this.mails(to, count)).at(-1)?.text.match(/https?:\/\/\S+/)?.[0] as string;
      return link.slice(url.length);
    },
    /** A person with a confirmed address, which no other person of the system has. */
    async person(name: string) {
      people += 1;
      const email = `${deriveId('usr', name, namespace.id, String(people))}@example.com`;
      const { user } = await auth.api.signUpEmail({ body: { name, email, password } });
      await db.collection('user').updateOne({ email }, { $set: { emailVerified: true } });
      return { id: user.id, name, email, password };
    },
    /** A workspace with these members. */
    async workspace(name: string, members: { id: string; role: 'admin' | 'member' }[]) {
      const { workspace } = await keysClient.createWorkspace({
        name,
        planSlug: 'growth',
        actor: 'test',
        actorAddress: '',
      });
      const workspaceId = workspace?.id as string;
      const organizationId = newId('ws');
      await db
        .collection<{ _id: string }>('organization')
        .insertOne({ _id: organizationId, name, slug: workspaceId, createdAt: new Date() } as never);
      for (const { id, role } of members) {
        const member = { organizationId, userId: id, role, createdAt: new Date() };
        await db.collection<{ _id: string }>('member').insertOne({ _id: newId('ws'), ...member } as never);
      }
      return { workspaceId, organizationId };
    },
    /** Signs in with the form. */
    async signIn(person: { email: string; password: string }) {
      const session = createVisitor(url);
      const response = await session.submit('/sign-in', { email: person.email, password: person.password });
      if (response.status !== 302) throw new Error(`sign-in responded with ${response.status}`);
      return session;
    },
    anonymous: () => createVisitor(url),
    /** Makes the sign-ins of a person too old for sensitive changes. */
    async ageSignIns(userId: string): Promise<void> {
      const createdAt = new Date(Date.now() - 16 * 60_000);
      await db.collection('session').updateMany({ userId: userId as never }, { $set: { createdAt } });
    },
    async stop() {
      keysClient.close();
      meteringClient.close();
      dashboardClient.close();
      await service.stop();
      // Nobody calls these services any more, and each of them mostly waits while it stops.
      await Promise.all([
        proxies.keys.close(),
        proxies.metering.close(),
        ...(backends ? [] : [metering.stop(), keys.stop()]),
        mongo.close(),
      ]);
      await namespace.cleanup();
    },
  };
}

export type TestSystem = Awaited<ReturnType<typeof startTestSystem>>;
