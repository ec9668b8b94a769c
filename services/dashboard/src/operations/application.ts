import type { Mail } from '../outbound/mail/send-mail.ts';
import type { Account } from './account.ts';
import type { Activity } from './activity.ts';
import type { Audit } from './audit.ts';
import type { DashboardKeys } from './dashboard-keys.ts';
import type { FreeWorkspaces } from './free-workspaces.ts';
import type { Invitations } from './invitations.ts';
import type { Keys } from './keys.ts';
import type { MadeKeys } from './made-keys.ts';
import type { MemberChanges } from './member-changes.ts';
import type { Members } from './members.ts';
import type { Passwords } from './passwords.ts';
import type { PublicSite } from './public-site.ts';
import type { RequestLog } from './request-log.ts';
import type { SecondFactor } from './second-factor.ts';
import type { ServiceStatus } from './service-status.ts';
import type { Sessions } from './sessions.ts';
import type { SignUp } from './sign-up.ts';
import type { SingleSignOnStart } from './single-sign-on.ts';
import type { StoreLists } from './store-lists.ts';
import type { Stores } from './stores.ts';
import type { TryOut } from './try-out.ts';
import type { Usage } from './usage.ts';
import type { WorkspaceSettings } from './workspace-settings.ts';
import type { Workspaces } from './workspaces.ts';

/** The operations that the pages call. */
export interface Application {
  sessions: Sessions;
  workspaces: Workspaces;
  usage: Usage;
  activity: Activity;
  requestLog: RequestLog;
  stores: Stores;
  storeLists: StoreLists;
  dashboardKeys: Pick<DashboardKeys, 'state' | 'switchOn'>;
  /** Public base of the HTTP API, for examples that people copy. */
  publicApiUrl: string;
  /** Public base of this application, which serves `/mcp` too. */
  dashboardUrl: string;
  publicSite: PublicSite;
  serviceStatus: ServiceStatus;
  tryOut: TryOut;
  keys: Keys;
  madeKeys: Pick<MadeKeys, 'list' | 'openForRevocation' | 'revokeConfirmed'>;
  members: Members;
  memberChanges: MemberChanges;
  workspaceSettings: WorkspaceSettings;
  audit: Audit;
  invitations: Invitations;
  signUp: SignUp;
  freeWorkspaces: FreeWorkspaces;
  passwords: Passwords;
  secondFactor: SecondFactor;
  account: Account;
  /** Present when an issuer is configured. */
  singleSignOn: SingleSignOnStart | undefined;
  /** Present in development systems that keep mail instead of sending it. */
  developmentMails: { list(): Promise<(Mail & { sentAt: Date })[]> } | undefined;
}
