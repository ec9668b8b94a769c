/**
 * The actor of a change, for a page: a person, or Shopscope's operators. People choose their names, so a page shows a name together with
 * the address or the id.
 */
export type ShownActor = { kind: 'person'; id: string; name: string; email: string } | { kind: 'operator' };

/** Matches the ids of people with an account. Operators have free names, which never begin in this way. */
export const personId = /^usr_/;

export interface PersonName {
  name: string;
  email: string;
}

/** The person who makes a change, for the audit log. */
export interface Actor {
  /** The id of the person, with the prefix usr_. */
  actor: string;
  actorAddress: string;
  /** The current name and address of the person. */
  actorPerson: PersonName;
}

/** `people` has the people of the workspace. For anybody else, name and address are empty. */
export const currentActor = (actor: string, people: ReadonlyMap<string, PersonName>): ShownActor =>
  recordedActor(actor, people.get(actor) ?? { name: '', email: '' });

/** `recorded`: the name and address that the person had at that time. Operators have free names, which are not shown. */
export const recordedActor = (actor: string, { name, email }: PersonName): ShownActor =>
  personId.test(actor) ? { kind: 'person', id: actor, name, email } : { kind: 'operator' };
