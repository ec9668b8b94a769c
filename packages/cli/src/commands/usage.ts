import type { Command } from '../command.ts';
import { table } from '../table.ts';

const units = ['lookup_cached', 'lookup_live', 'history_query', 'refresh_requested'] as const;

export default {
  summary: 'Units that the workspace has used in this period, in total and by key. Free.',
  examples: ['usage', 'usage --json'],
  async run({ terminal, client, print, screen }) {
    const usage = await (await client()).getUsage({ signal: terminal.interrupted });
    await print(usage, () => {
      const { included, used, starts_at, ends_at } = usage.period;
      const left = (unit: (typeof units)[number]) => Math.max(0, included[unit] - used[unit]);
      const total = units.map((unit) => [unit, ...[used[unit], included[unit], left(unit)].map(String)]);
      const keys = usage.by_key.map((key) => [key.label, key.key_id, ...units.map((unit) => String(key.used[unit]))]);
      const period = `${starts_at.slice(0, 10)} to ${ends_at.slice(0, 10)}\n\n`;
      return `${period}${table(['UNIT', 'USED', 'INCLUDED', 'LEFT'], total, screen)}\n${table(['KEY', 'ID', ...units], keys, screen)}`;
    });
  },
} satisfies Command;
