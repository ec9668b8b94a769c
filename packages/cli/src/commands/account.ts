import type { Command } from '../command.ts';
import { pairs } from '../table.ts';

export default {
  summary: 'The key in use, its workspace, and the limits of the plan. Free.',
  examples: ['account'],
  async run({ terminal, client, print }) {
    const account = await (await client()).getAccount({ signal: terminal.interrupted });
    const { key, workspace, plan } = account;
    await print(account, () =>
      pairs([
        ['Workspace', `${workspace.name} (${workspace.id})`],
        ['Key', `${key.prefix}… ${key.label} (${key.id})`],
        ['Scopes', key.scopes.join(' ')],
        ['Expires', key.expires_at ?? 'never'],
        ['Plan', plan.slug],
        ...Object.entries({ ...plan.limits, ...plan.quotas }).map(
          ([limit, value]) => [limit, String(value)] as [string, string],
        ),
      ]),
    );
  },
} satisfies Command;
