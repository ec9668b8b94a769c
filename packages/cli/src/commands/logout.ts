import type { Command } from '../command.ts';
import { forget } from '../credentials.ts';

export default {
  summary: 'Forgets the API key that login kept. The key itself stays valid.',
  examples: ['logout'],
  async run({ terminal, print }) {
    const forgotten = await forget(terminal.configFolder);
    await print({ forgotten }, () => (forgotten ? 'The key is forgotten.\n' : 'There was no key.\n'));
  },
} satisfies Command;
