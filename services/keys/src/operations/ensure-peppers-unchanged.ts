import { type Peppers, pepperCheckValue } from '../domain/pepper.ts';
import type { PepperCheckStore } from '../outbound/mongo/pepper-checks.ts';

/**
 * Throws an error if the secret of a pepper id has changed. Keys are counted by the id of their pepper. With another secret under the
 * id, the count would be wrong, and an operator could retire a pepper that is in use. The error contains the ids and never a secret.
 */
export async function ensurePeppersUnchanged(store: PepperCheckStore, peppers: Peppers, at: Date): Promise<void> {
  const changed: string[] = [];
  for (const pepper of peppers) {
    const checkValue = pepperCheckValue(pepper);
    if ((await store.putIfAbsent(pepper.id, checkValue, at)) !== checkValue) changed.push(pepper.id);
  }
  if (changed.length === 0) return;
  throw new Error(
    `KEY_PEPPERS, KEY_PEPPER: the secret of the pepper ${changed.join(', ')} is not the one that this id was first used with. ` +
      'Give a new secret an id of its own (KEY_PEPPER has the id 1), and put the earlier secret back under its id.',
  );
}
