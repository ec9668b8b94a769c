/** Most members of a workspace. */
export const membersMax = 200;
