import type { Command } from '../command.ts';
import { single } from '../output/output.ts';
import { encodeKey } from '../resources/key.ts';
import { encodeWorkspace } from '../resources/workspace.ts';
import { newKeyOutput } from './key.ts';
import { chosenScopes, present, scopeOptions } from './options.ts';

/** Idempotent: an installation may run it at every start. */
export const setupCommand: Command = {
  words: 'setup',
  summary: 'Creates the first workspace and its key, unless a workspace of that name exists',
  note: 'One of --preset and --scopes is required',
  options: {
    workspace: { value: 'NAME', help: 'name of the workspace', required: true },
    label: { value: 'LABEL', help: 'label of the key', required: true },
    ...scopeOptions,
    plan: { value: 'SLUG', help: 'plan of the workspace (default: free)' },
  },
  async run({ keys }, input) {
    const done = await keys.setUpWorkspace({
      name: input.need('workspace'),
      planSlug: input.optional('plan') ?? 'free',
      label: input.need('label'),
      ...chosenScopes(input),
      actor: input.actor,
    });
    const workspace = encodeWorkspace(present(done.workspace, 'workspace'));
    if (!done.created) {
      const another = `npm run admin -- key create --workspace ${workspace.id} --label LABEL --preset PRESET`;
      return {
        json: { created: false, workspace, key: null, secret: null },
        text: `already set up: workspace ${workspace.id} has this name. Another key: ${another}\n`,
      };
    }
    const key = encodeKey(present(done.key, 'key'));
    return {
      json: { created: true, workspace, key, secret: done.secret },
      text: `${single({ workspace }).text}\n${newKeyOutput(key, done.secret).text}`,
    };
  },
};
