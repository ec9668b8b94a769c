/**
 * Who did something, for a page: a person, or Shopscope's operators. People choose their names, so a page shows a name together
 * with the address or the id.
 */
export type ShownActor = { kind: 'person'; id: string; name: string; email: string } | { kind: 'operator' };

/** The ids of people with an account. Operators have free names, which never begin like this. */
export const personId = /^usr_/;

export interface PersonName {
  name: string;
  email: string;
}

/** Who makes a change, for the audit log. */
export interface Actor {
  /** usr_ id. */
  actor: string;
  actorAddress: string;
  /** What the person is called now. */
  actorPerson: PersonName;
}

/** `people` has the people of the workspace. Name and address of somebody else are empty. */
export const currentActor = (actor: string, people: ReadonlyMap<string, PersonName>): ShownActor =>
  recordedActor(actor, people.get(actor) ?? { name: '', email: '' });

/** `recorded`: what the person was called at that time. Operators have free names, which are not shown. */
export const recordedActor = (actor: string, { name, email }: PersonName): ShownActor =>
  personId.test(actor) ? { kind: 'person', id: actor, name, email } : { kind: 'operator' };
