import type { SentForm } from '../../app/inbound/read-form.ts';
import type { KeyChoice } from '../../keys/operations.ts';

/** The ticked keys of a form: all keys of the person, or the listed ones. The field `keys` has ids or `all`. */
export function chosenKeys(form: SentForm): KeyChoice {
  const chosen = form.texts('keys');
  return chosen.includes('all') ? 'all' : chosen;
}
