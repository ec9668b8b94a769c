import { invalidField } from '@shopscope/errors';

export type Role = 'admin' | 'member';

/** The role for a stored text. Any text other than `admin` gives the role with fewer rights. */
export const roleOf = (text: string): Role => (text === 'admin' ? 'admin' : 'member');

/** Parses a role from a form. */
export function parseRole(field: string, text: string): Role {
  if (text === 'admin' || text === 'member') return text;
  throw invalidField(field, 'Choose a role.');
}

export const maxMembers = 200;
