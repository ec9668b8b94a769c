export type Role = 'admin' | 'member';

/** The role of a stored text. Everything else than `admin` has the fewer rights. */
export const roleOf = (text: string): Role => (text === 'admin' ? 'admin' : 'member');
