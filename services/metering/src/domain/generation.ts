/**
 * A generation is the data of a workspace between two resets of the test tenant. Its documents have the owner of the generation in place of
 * the workspace, and ids of charges that contain the generation, too. A reset therefore only has to begin a new generation.
 *
 * The first generation has the plain ids. The separator is no part of an identifier, so no workspace has the name of a generation.
 */
const separator = '~';

/** Returns the id of a workspace or of a charge within a generation. */
export const inGeneration = (id: string, generation: number): string =>
  generation === 0 ? id : `${id}${separator}${generation}`;

/** Returns the workspace of an owner. */
export const workspaceOf = (owner: string): string => owner.split(separator, 1)[0] as string;

/** Returns the generation of an owner. Together with {@link workspaceOf}, it is the inverse of {@link inGeneration}. */
export const generationOf = (owner: string): number => Number(owner.split(separator)[1] ?? 0);
