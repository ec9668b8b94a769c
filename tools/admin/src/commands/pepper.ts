import { type Pepper, PepperState } from '@shopscope/proto';
import type { Command } from '../command.ts';
import { page } from '../output/output.ts';

const pepperColumns = ['id', 'state', 'usable_keys'];

const states: Partial<Record<PepperState, string>> = {
  [PepperState.CURRENT]: 'current',
  [PepperState.RETIRING]: 'retiring',
  [PepperState.MISSING]: 'missing',
};

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

export function encodePepper(pepper: Pepper) {
  return { id: pepper.id, state: states[pepper.state] ?? 'unknown', usable_keys: pepper.usableKeys };
}
