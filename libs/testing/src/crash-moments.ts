/**
 * The moments around each call of the database at which tests end a process. A crash before a call leaves the same documents as a crash after
 * the preceding call, so only `.ci/nightly` has the first.
 */
export const crashMoments: readonly { when: 'before' | 'after'; tags: string[] }[] = [
  { when: 'after', tags: [] },
  { when: 'before', tags: ['nightly'] },
];
