/**
 * better-auth writes people and sessions; this service reads them and changes some members. Only this service writes organizations (one per
 * workspace), members and invitations. Ids are strings.
 */

export interface UserDocument {
  _id: string;
  email: string;
  name: string;
  emailVerified: boolean;
  createdAt: Date;
  twoFactorEnabled?: boolean;
  /** Added by this service: the name of the workspace that the person requested at the sign-up. */
  workspaceName?: string | null;
}

export interface SessionDocument {
  _id: string;
  userId: string;
  token: string;
  createdAt: Date;
  expiresAt: Date;
  ipAddress?: string | null;
  userAgent?: string | null;
  /** Added by this service: the time of the sign-in at the issuer. Absent if the session began with a password. */
  authenticatedAt?: Date | null;
  /** Added by this service. Absent until the first page after the sign-in. */
  lastSeenAt?: Date;
}

export interface OrganizationDocument {
  _id: string;
  name: string;
  /** The id of the workspace in the keys service. */
  slug: string;
  createdAt: Date;
  /** Added by this service when the deletion of the workspace begins. From then on, nobody can join. */
  deletingAt?: Date;
  /** Added by this service: each change of the members increments it, so that concurrent changes conflict. */
  memberChanges?: number;
}

export interface MemberDocument {
  _id: string;
  organizationId: string;
  userId: string;
  role: string;
  createdAt: Date;
}

export interface InvitationDocument {
  _id: string;
  organizationId: string;
  email: string;
  role: string;
  status: 'pending' | 'accepted' | 'rejected' | 'canceled';
  expiresAt: Date;
  createdAt: Date;
  inviterId: string;
  teamId: null;
}
