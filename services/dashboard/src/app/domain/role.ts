import { invalidField } from '@shopscope/errors';

export type Role = 'admin' | 'member';

/** The role of a stored text. Everything else than `admin` has the fewer rights. */
export const roleOf = (text: string): Role => (text === 'admin' ? 'admin' : 'member');

/** A role that a form names. */
export function parseRole(field: string, text: string): Role {
  if (text === 'admin' || text === 'member') return text;
  throw invalidField(field, 'Choose a role.');
}

export const maxMembers = 200;
