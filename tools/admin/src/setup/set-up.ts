import type { SetupConfig } from './config.ts';
import { type FillOptions, fillDemoCorpus } from './demo-corpus.ts';
import { ensureKey, ensureWorkspace } from './workspaces.ts';

export interface SetUpOptions extends Omit<FillOptions, 'config'> {
  config: SetupConfig;
  say(line: string): void;
}

const keyLabel = 'first key';

/**
 * What a new installation needs before its first request: a workspace with a key and, for the demo, a filled corpus.
 * Idempotent: what is there stays. Killed between the creation of the key and its print -> the secret is lost, and the
 * next run says how to create another key.
 */
export async function setUp({ config, say, ...rest }: SetUpOptions): Promise<void> {
  const workspace = await ensureWorkspace(rest.keys, config.SETUP_WORKSPACE, config.SETUP_PLAN);
  const { key, secret } = await ensureKey(rest.keys, workspace.id, keyLabel);
  say(`Workspace "${workspace.name}": ${workspace.id}, plan ${workspace.planSlug}`);
  if (secret) {
    say(`API key, printed this once: ${secret}`);
    say(`Try it: curl -H 'Authorization: Bearer ${secret}' ${config.PUBLIC_API_URL}/v1/account`);
  } else {
    say(`Its API key ${key.prefix}… was printed when it was created. For another one:`);
    say(`admin key create --workspace ${workspace.id} --label 'second key' --preset full`);
  }
  if (config.SHOPSCOPE_CORPUS === 'empty') return say('The corpus stays as it is (SHOPSCOPE_CORPUS=empty).');
  say('Scanning the demo stores …');
  const { stores, scans } = await fillDemoCorpus({ ...rest, config });
  say(`The demo corpus is ready: ${stores} demo stores, ${scans} scanned now.`);
}
