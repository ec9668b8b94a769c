import { createDeadline } from '@shopscope/async';
import { corpusWorkspaceName, type Keys, putCorpusPlan } from '@shopscope/demo-stores';
import { createClocks, type DemoKey, type KeyPattern, usedSinceMs } from '@shopscope/demo-usage';
import { createGrpcClient, type GrpcSecurity } from '@shopscope/grpc';
import { apiKeyDigest } from '@shopscope/ids';
import { KeyStatus, KeysServiceService } from '@shopscope/proto';
import { addressOf, adminUrlsOf } from './services.ts';
import type { StartSettings } from './settings.ts';
import type { LocalState } from './state.ts';

const actor = 'operator:npm start';
const clockTimeoutMs = 10_000;

/** The keys to which the demo usage belongs, in the order of the list that people see. Nobody knows their secrets. */
const usageKeys: readonly { label: string; preset: string; pattern: KeyPattern }[] = [
  { label: 'Shop search (production)', preset: 'read_only', pattern: 'production' },
  { label: 'Nightly lead enrichment', preset: 'full', pattern: 'batch' },
  { label: 'Old CRM integration', preset: 'read_only', pattern: 'stopped' },
  { label: 'Tests of the data team', preset: 'read_and_watch', pattern: 'testing' },
];

type DemoState = Required<Pick<LocalState, 'workspaceId' | 'keys' | 'demoUsage'>>;
export type SeededState = LocalState & DemoState & Required<Pick<LocalState, 'corpusKey'>>;

/**
 * Creates the demo workspace on plan `scale` with three keys for people and the keys of its usage, and the workspace that scans the demo
 * stores.
 *
 * - Keys that still work are kept.
 * - A new corpus workspace -> the corpus is filled again, because its data may have been deleted.
 */
export async function seedWorkspaces(
  settings: StartSettings,
  security: GrpcSecurity,
  state: LocalState,
): Promise<SeededState> {
  const address = addressOf(settings, 'keys');
  const keys = createGrpcClient({ definition: KeysServiceService, address, security: security.towards('keys') });
  try {
    const demo = (await workingDemo(keys, state)) ?? (await createInThePast(settings, () => createDemo(keys)));
    if (state.corpusKey && (await works(keys, state.corpusKey.secret)))
      return { ...state, ...demo, corpusKey: state.corpusKey };
    const { domains: _, scanFailures: __, hasGeneratedStores: ___, ...rest } = state;
    return { ...rest, ...demo, corpusKey: await corpusWorkspace(keys) };
  } finally {
    keys.close();
  }
}

async function workingDemo(keys: Keys, state: LocalState): Promise<DemoState | undefined> {
  const { workspaceId, keys: known, demoUsage } = state;
  if (!workspaceId || !known || !demoUsage) return undefined;
  for (const secret of [known.full, known.read_only, known.test])
    if (!secret || !(await works(keys, secret))) return undefined;
  return { workspaceId, keys: known, demoUsage };
}

/** Runs `create` while the time of keys is before the first usage. A killed run leaves the time moved until keys starts again. */
async function createInThePast<T>(settings: StartSettings, create: () => Promise<T>): Promise<T> {
  const clocks = createClocks('keys', adminUrlsOf(settings, 'keys'));
  try {
    await clocks.moveTo(usedSinceMs(Date.now()), createDeadline(clockTimeoutMs));
    return await create();
  } finally {
    await clocks.putBack();
  }
}

async function createDemo(keys: Keys): Promise<DemoState> {
  const workspaceId = await createWorkspace(keys, 'Demo workspace', 'scale');
  const ofPerson = async (preset: string) =>
    (await createKey(keys, workspaceId, { label: `demo ${preset.replace('_', ' ')}`, preset })).secret;
  const full = await ofPerson('full');
  const demoUsage = { firstRunMs: Date.now(), keys: [] as DemoKey[] };
  const read_only = await ofPerson('read_only');
  const ofTest = { label: 'demo test', preset: 'full', environment: 'test' };
  const known = { full, read_only, test: (await createKey(keys, workspaceId, ofTest)).secret };
  // One after the other, so that the list of keys has this order.
  for (const { pattern, ...named } of usageKeys) {
    const { key } = await createKey(keys, workspaceId, named);
    demoUsage.keys.push({ keyId: key?.id ?? '', prefix: key?.prefix ?? '', pattern });
  }
  return { workspaceId, keys: known, demoUsage };
}

async function corpusWorkspace(keys: Keys): Promise<{ workspaceId: string; secret: string }> {
  const workspaceId = await createWorkspace(keys, corpusWorkspaceName, await putCorpusPlan(keys, actor));
  const { secret } = await createKey(keys, workspaceId, { label: 'demo full', preset: 'full' });
  return { workspaceId, secret };
}

async function works(keys: Keys, secret: string): Promise<boolean> {
  const { status } = await keys.verifyKey({ keyDigest: apiKeyDigest(secret) });
  return status === KeyStatus.ACTIVE;
}

async function createWorkspace(keys: Keys, name: string, planSlug: string): Promise<string> {
  const { workspace } = await keys.createWorkspace({ name, planSlug, actor, actorAddress: '' });
  return workspace?.id ?? '';
}

function createKey(keys: Keys, workspaceId: string, named: { label: string; preset: string; environment?: string }) {
  const key = { workspaceId, environment: 'live', ...named, scopes: [], expiresAtMs: undefined };
  return keys.createKey({ ...key, actor, actorAddress: '', requestToken: '' });
}
