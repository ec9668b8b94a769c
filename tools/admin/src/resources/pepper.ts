import { type Pepper, PepperState } from '@shopscope/proto';

export const pepperColumns = ['id', 'state', 'usable_keys'];

const states: Partial<Record<PepperState, string>> = {
  [PepperState.CURRENT]: 'current',
  [PepperState.RETIRING]: 'retiring',
  [PepperState.MISSING]: 'missing',
};

export function encodePepper(pepper: Pepper) {
  return { id: pepper.id, state: states[pepper.state] ?? 'unknown', usable_keys: pepper.usableKeys };
}
