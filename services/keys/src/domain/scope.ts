import { invalidField } from '@shopscope/errors';
import { type Scope, scopes } from '@shopscope/proto';

const reading = ['read:stores', 'read:signals', 'read:watchlists', 'read:webhooks', 'read:jobs'];
const watching = [...reading, 'write:watchlists', 'write:webhooks'];

/** The presets of the dashboard, and the fixed preset that operators give to partner integrations. */
export const presets: Readonly<Record<string, readonly string[]>> = {
  read_only: reading,
  read_and_watch: watching,
  full: [...watching, 'write:scans'],
  partner: ['read:stores'],
};

/** The preset of a key whose scopes were listed. */
export const customPreset = 'custom';

/** Returns the scopes of the preset, or the listed scopes, in the order of the contract. Exactly one of the two must be given. */
export function chooseScopes(preset: string, listed: readonly string[]): string[] {
  if (preset && listed.length > 0) throw invalidField('scopes', 'give either a preset or scopes, not both');
  if (!preset && listed.length === 0) {
    throw invalidField('scopes', `give a preset (${Object.keys(presets).join(', ')}) or at least one scope`);
  }
  const chosen = preset ? Object.hasOwn(presets, preset) && presets[preset] : listed;
  if (!chosen) throw invalidField('preset', `must be one of ${Object.keys(presets).join(', ')}`);
  const unknown = chosen.find((scope) => !scopes.includes(scope as Scope));
  if (unknown !== undefined) throw invalidField('scopes', `must be among ${scopes.join(', ')}`);
  return scopes.filter((scope) => chosen.includes(scope));
}
