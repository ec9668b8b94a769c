import { AppError } from '@shopscope/errors';
import type { WorkspaceVisit } from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import * as dashboardKeys from './dashboard-keys.ts';

/**
 * Makes a call of the API for a workspace with its Dashboard key. Failure: the gateway refuses the key -> one call with a new key. Its
 * response is returned, even if it is an error; its `unauthorized` is an error of this application.
 *
 * @param isRefused Whether a response refuses the key. For calls that do not throw.
 */
export async function callWithKey<T>(
  deps: Dependencies,
  visit: WorkspaceVisit,
  call: (secret: string) => Promise<T>,
  isRefused: (answer: T) => boolean = () => false,
): Promise<T> {
  const key = await dashboardKeys.open(deps, visit);
  try {
    const answer = await call(key.secret);
    if (!isRefused(answer)) return answer;
  } catch (error) {
    if (!isRefusedKey(error)) throw error;
  }
  const { secret } = await dashboardKeys.renew(deps, visit, key);
  return call(secret).catch((error) => {
    if (!isRefusedKey(error)) throw error;
    throw new AppError('internal', 'The API refuses the Dashboard key. Nothing was billed.', { cause: error });
  });
}

const isRefusedKey = (error: unknown) => error instanceof AppError && error.code === 'unauthorized';
