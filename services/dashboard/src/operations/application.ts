import type { Mail } from '../outbound/mail/send-mail.ts';
import type { Audit } from './audit.ts';
import type { Keys } from './keys.ts';
import type { Members } from './members.ts';
import type { Sessions } from './sessions.ts';
import type { WorkspaceSettings } from './workspace-settings.ts';
import type { Workspaces } from './workspaces.ts';

/** The operations that the pages call. */
export interface Application {
  sessions: Sessions;
  workspaces: Workspaces;
  keys: Keys;
  members: Members;
  workspaceSettings: WorkspaceSettings;
  audit: Audit;
  /** Public base of the HTTP API, for examples that people copy. */
  publicApiUrl: string;
  /** Present in development systems that keep mail instead of sending it. */
  developmentMails: { list(): Promise<(Mail & { sentAt: Date })[]> } | undefined;
}
