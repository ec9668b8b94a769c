import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { principals, startSecuredServers } from '@shopscope/access';
import { LocalStackError, type Stack, startStack } from '@shopscope/local-stack';
import type { Env, StartSettings } from './settings.ts';
import type { LocalState } from './state.ts';

export interface DataServers {
  stack: Stack;
  /** Variables of a service in addition to the addresses of the servers. */
  environmentOf(service: string): Record<string, string>;
  /** Variables of the migration of a service. Absent if services may change the schema themselves. */
  migrationOf?(service: string): Record<string, string>;
}

/**
 * The state with a password for every principal, if the servers require them. Throws LocalStackError when the data were
 * created with the other setting.
 */
export function withDataPasswords(settings: StartSettings, state: LocalState): LocalState {
  const { stateDir, secured } = settings;
  const begun = existsSync(join(stateDir, 'data'));
  if (secured ? begun && !state.dataPasswords : state.dataPasswords) {
    throw new LocalStackError(
      `The data in ${stateDir} were begun ${secured ? 'without' : 'with'} SHOPSCOPE_SECURED=true; set another SHOPSCOPE_LOCAL_DIR, or run npm run reset.`,
    );
  }
  if (!secured || state.dataPasswords) return state;
  const dataPasswords = Object.fromEntries(principals.map((name) => [name, randomBytes(24).toString('hex')]));
  return { ...state, dataPasswords };
}

export async function startDataServers(
  settings: StartSettings,
  state: LocalState,
  options: { env: Env; report(line: string): void; abort: AbortSignal },
): Promise<DataServers> {
  const { env, ...rest } = options;
  if (!settings.secured) {
    return { stack: await startStack({ ...settings, ...rest, env, withOpenSearch: true }), environmentOf: () => ({}) };
  }
  const { stateDir, cacheDir, ports } = settings;
  const passwordOf = (principal: string) => state.dataPasswords?.[principal] ?? '';
  return startSecuredServers({ stateDir, cacheDir, ports, passwordOf, withOpenSearch: true, ...rest });
}
