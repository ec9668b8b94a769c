import { type Peppers, pepperCheck } from '../domain/pepper.ts';
import type { PepperCheckStore } from '../outbound/mongo/pepper-checks.ts';

/**
 * Holds each pepper id to the secret that it was first used with. Keys are counted by the id that they are stored with, so
 * an id with another secret would report keys under the wrong pepper, and an operator would retire one that is in use.
 * Throws with the ids whose secret has changed, never with a secret.
 */
export async function checkPeppers(store: PepperCheckStore, peppers: Peppers, at: Date): Promise<void> {
  const changed: string[] = [];
  for (const pepper of peppers) {
    const check = pepperCheck(pepper);
    if ((await store.claim(pepper.id, check, at)) !== check) changed.push(pepper.id);
  }
  if (changed.length === 0) return;
  throw new Error(
    `KEY_PEPPERS, KEY_PEPPER: the secret of the pepper ${changed.join(', ')} is not the one that this id was first used with. ` +
      'Give a new secret an id of its own (KEY_PEPPER has the id 1), and put the earlier secret back under its id.',
  );
}
