import type { KeyChoice } from '../src/operations/made-keys.ts';

/** The ticked keys of a form: every key of the person, or these. The field `keys` has ids or `all`. */
export function chosenKeys(form: FormData): KeyChoice {
  const chosen = form.getAll('keys').filter((value) => typeof value === 'string');
  return chosen.includes('all') ? 'all' : chosen;
}
