import type { Key } from '@shopscope/proto';
import type { Command } from '../command.ts';
import { type Encoded, type Output, page, single } from '../output/output.ts';
import { encodeKey, keyColumns } from '../resources/key.ts';
import { chosenScopes, present, scopeOptions, workspaceOption } from './options.ts';

const keyOption = { value: 'KEY_ID', help: 'the key', required: true };

const shown = ({ key }: { key?: Key | undefined }) => single(encodeKey(present(key, 'key')));

export const keyCommands: readonly Command[] = [
  {
    words: 'key create',
    summary: 'Creates a key and prints its secret once',
    note: 'One of --preset and --scopes is required',
    options: {
      workspace: workspaceOption,
      label: { value: 'LABEL', help: 'label of the key', required: true },
      ...scopeOptions,
      environment: { value: 'ENVIRONMENT', help: 'live or test (default: live)' },
      'expires-at': { value: 'ISO8601', help: 'time of its expiry (default: none)' },
    },
    async run({ keys }, input) {
      const { key, secret } = await keys.createKey({
        workspaceId: input.need('workspace'),
        label: input.need('label'),
        ...chosenScopes(input),
        environment: input.optional('environment'),
        expiresAtMs: input.instant('expires-at'),
        actor: input.actor,
        actorAddress: '',
        requestToken: '',
      });
      return newKeyOutput(encodeKey(present(key, 'key')), secret);
    },
  },
  {
    words: 'key list',
    summary: 'Lists the keys of a workspace, including revoked and expired keys',
    options: { workspace: workspaceOption },
    async run({ keys }, { need }) {
      const workspaceId = need('workspace');
      // The list is empty for an unknown workspace too, so a mistyped id is reported here.
      await keys.getWorkspace({ workspaceId });
      const { keys: found } = await keys.listKeys({ workspaceId, includeInactive: true });
      return page(found.map(encodeKey), { columns: keyColumns, empty: 'The workspace has no keys.' });
    },
  },
  {
    words: 'key show',
    summary: 'Shows a key, without its secret',
    options: { workspace: workspaceOption, key: keyOption },
    run: async ({ keys }, { need }) => shown(await keys.getKey({ workspaceId: need('workspace'), keyId: need('key') })),
  },
  {
    words: 'key revoke',
    summary: 'Revokes a key permanently: every gateway responds 401 within seconds, or within 30 s without Kafka',
    options: { workspace: workspaceOption, key: keyOption },
    async run({ keys }, { need, actor }) {
      const request = { workspaceId: need('workspace'), keyId: need('key'), actor, actorAddress: '' };
      return shown(await keys.revokeKey(request));
    },
  },
];

/** The secret is printed separately, with an explanation. */
export function newKeyOutput(key: Encoded, secret: string): Output {
  const explained = 'This is the only time that the secret is shown. Nobody can read it again: store it now.';
  return { json: { ...key, secret }, text: `${single(key).text}\nsecret  ${secret}\n\n${explained}\n` };
}
