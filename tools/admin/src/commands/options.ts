import type { Option } from '../command.ts';
import { CommandError, UsageError } from '../errors.ts';
import type { Input } from '../input.ts';

export const workspaceOption: Option = { value: 'WORKSPACE_ID', help: 'the workspace', required: true };
export const planOption: Option = { value: 'SLUG', help: 'the plan', required: true };

export const scopeOptions: Readonly<Record<string, Option>> = {
  preset: { value: 'PRESET', help: 'read_only, read_and_watch, full or partner' },
  scopes: { value: 'A,B', help: 'scopes one by one, e.g. read:stores,write:scans' },
};

/** Requires exactly one of the two options, so that every key has scopes that an operator chose. */
export function chosenScopes(input: Input): { preset: string; scopes: string[] } {
  const preset = input.optional('preset') ?? '';
  const scopes = input.list('scopes');
  if (!preset && scopes.length === 0) {
    throw new UsageError('--preset read_only|read_and_watch|full|partner or --scopes A,B is required');
  }
  if (preset && scopes.length > 0) throw new UsageError('give either --preset or --scopes, not both');
  return { preset, scopes };
}

/** Returns a member that the service always sends; throws when it is absent. */
export function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new CommandError(`The response has no ${what}; the service has another version.`);
  return value;
}
