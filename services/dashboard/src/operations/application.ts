import type { Mail } from '../outbound/mail/send-mail.ts';
import type { Activity } from './activity.ts';
import type { Sessions } from './sessions.ts';
import type { Usage } from './usage.ts';
import type { Workspaces } from './workspaces.ts';

/** The operations that the pages call. */
export interface Application {
  sessions: Sessions;
  workspaces: Workspaces;
  usage: Usage;
  activity: Activity;
  /** Public base of the HTTP API, for examples that people copy. */
  publicApiUrl: string;
  /** Present in development systems that keep mail instead of sending it. */
  developmentMails: { list(): Promise<(Mail & { sentAt: Date })[]> } | undefined;
}
