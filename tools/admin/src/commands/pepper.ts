import type { Command } from '../command.ts';
import { page } from '../output/output.ts';
import { encodePepper, pepperColumns } from '../resources/pepper.ts';

export const pepperCommands: readonly Command[] = [
  {
    words: 'pepper list',
    summary: 'Shows how many usable keys are stored under each pepper',
    note: 'A retiring pepper without keys can be removed from the configuration; keys under a missing pepper get 401',
    options: {},
    async run({ keys }) {
      const { peppers } = await keys.listPeppers({});
      return page(peppers.map(encodePepper), { columns: pepperColumns, empty: 'There are no peppers.' });
    },
  },
];
