/** Most members of a workspace. */
export const maxMembers = 200;
