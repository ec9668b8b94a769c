import type { Mail } from '../outbound/mail/send-mail.ts';
import type { Invitations } from './invitations.ts';
import type { Sessions } from './sessions.ts';
import type { Workspaces } from './workspaces.ts';

/** The operations that the pages call. */
export interface Application {
  sessions: Sessions;
  workspaces: Workspaces;
  invitations: Invitations;
  /** Present in development systems that keep mail instead of sending it. */
  developmentMails: { list(): Promise<(Mail & { sentAt: Date })[]> } | undefined;
}
