/** Who did something, for a page: a person of the workspace, a person who is none, or Shopscope's operators. */
export type Who = { kind: 'member'; id: string; name: string } | { kind: 'person'; id: string } | { kind: 'operator' };

/** Whether an actor is a person with an account. Operators have free names. */
export const isPerson = (actor: string): boolean => actor.startsWith('usr_');

/** `names` has the people of the workspace. Operators have free names, which are not shown. */
export function whoIs(actor: string, names: ReadonlyMap<string, string>): Who {
  const name = names.get(actor);
  if (name !== undefined) return { kind: 'member', id: actor, name };
  return isPerson(actor) ? { kind: 'person', id: actor } : { kind: 'operator' };
}
