/** Where a person confirms the session, and from there comes back to `path`. */
export const confirmationPath = (path: string): string => `/confirm?next=${encodeURIComponent(path)}`;
