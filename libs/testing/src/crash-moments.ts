import { isNightly } from './nightly.ts';

/**
 * The moments around each call of the database at which tests end a process. A crash before a call leaves the same documents as a crash after
 * the preceding call, so only `.ci/nightly` has the first.
 */
export const crashMoments: readonly { when: 'before' | 'after'; tags: string[] }[] = [
  { when: 'after', tags: [] },
  { when: 'before', tags: ['nightly'] },
];

/** `.ci/nightly` ends a process at each call. By day, each third call stands for its neighbors, because the ends take long and rarely decide. */
export const callsPerCrash = isNightly ? 1 : 3;
