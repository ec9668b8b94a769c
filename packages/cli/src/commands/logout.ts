import type { Command } from '../command.ts';
import { forget } from '../credentials.ts';
import { exitCodes } from '../exit-codes.ts';

const command: Command = {
  summary: 'Forgets the API key that login kept. The key itself stays valid.',
  examples: ['logout'],
  async run({ terminal, print }) {
    const forgotten = await forget(terminal.configFolder);
    await print({ forgotten }, () => (forgotten ? 'The key is forgotten.\n' : 'There was no key.\n'));
    return exitCodes.ok;
  },
};
export default command;
