import type { Clock } from '@shopscope/clock';
import { createGrpcClient, type GrpcClient } from '@shopscope/grpc';
import { apiKeyDigest } from '@shopscope/ids';
import type { RunningService } from '@shopscope/lifecycle';
import { type KeyStatus, KeysServiceService } from '@shopscope/proto';
import { serviceEnvironment, type TestNamespace, testNamespace } from '@shopscope/testing';
import { type Db, MongoClient } from 'mongodb';
import { loadConfig, startKeys } from '../../src/index.ts';

export type KeysClient = GrpcClient<typeof KeysServiceService>;
export type Rpc = keyof typeof KeysServiceService;
export type RequestOf<R extends Rpc> = Parameters<KeysClient[R]>[0];

/** Starts instances of keys on one database, each with its own peppers. */
export interface KeysHarness {
  namespace: TestNamespace;
  db: Db;
  start(env?: Record<string, string>): Promise<RunningService & { client: KeysClient }>;
  stop(): Promise<void>;
}

export interface HarnessOptions {
  /** A lease that never ends keeps every relay idle: events stay in the outbox, where a test can read them. */
  holdOutbox?: boolean;
}

export const actor = 'operator:test';
/** The actor of an RPC that also takes an address. */
export const by = { actor, actorAddress: '' };
export const pepper = 'a-development-pepper-of-32-characters';
export const digestOf = (secret: string) => ({ keyDigest: apiKeyDigest(secret) });

export async function createHarness(label: string, clock: Clock, options: HarnessOptions = {}): Promise<KeysHarness> {
  const namespace = testNamespace(label);
  const mongo = await MongoClient.connect(namespace.mongoUrl);
  const db = mongo.db(namespace.databaseName('keys'));
  const running = new Map<RunningService, KeysClient>();
  const env = serviceEnvironment(namespace, 'keys');
  let started = 0;
  if (options.holdOutbox) {
    const lease = { _id: 'relay', holder: 'test', expiresAt: new Date(8.64e15) };
    await db.collection<{ _id: string }>('outbox_lease').insertOne(lease);
  }
  const stopOne = async (service: RunningService) => {
    running.get(service)?.close();
    running.delete(service);
    await service.stop();
  };
  return {
    namespace,
    db,
    async start(own = { KEY_PEPPER: pepper }) {
      started += 1;
      const instance = { INSTANCE_ID: `keys-${started}-${namespace.id}` };
      const service = await startKeys(loadConfig({ ...env, ...instance, ...own }), { clock });
      const client = createGrpcClient({ definition: KeysServiceService, address: service.grpcAddress as string });
      running.set(service, client);
      return { ...service, client, stop: () => stopOne(service) };
    },
    async stop() {
      for (const service of [...running.keys()]) await stopOne(service);
      await mongo.close();
      await namespace.cleanup();
    },
  };
}

/** Creates a workspace and returns its id. */
export async function newWorkspace(client: KeysClient, over: Partial<RequestOf<'createWorkspace'>> = {}) {
  const { workspace } = await client.createWorkspace({ name: 'Acme', planSlug: 'free', ...by, ...over });
  return workspace?.id ?? '';
}

/** Creates a key in the workspace and returns its id and secret. */
export async function newKey(client: KeysClient, workspaceId: string, over: Partial<RequestOf<'createKey'>> = {}) {
  const request = { workspaceId, label: 'ci', preset: 'full', scopes: [], expiresAtMs: undefined };
  const { key, secret } = await client.createKey({ ...request, ...by, requestToken: '', ...over });
  return { id: key?.id ?? '', secret };
}

/** The status that VerifyKey returns for the key. */
export async function statusOf(client: KeysClient, secret: string): Promise<KeyStatus> {
  return (await client.verifyKey(digestOf(secret))).status;
}
