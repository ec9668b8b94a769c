import type { TryOut } from '../../documentation/operations/try-out.ts';
import type { DashboardKeys } from '../../keys/operations/dashboard-keys.ts';
import type { Keys } from '../../keys/operations/keys.ts';
import type { MadeKeys } from '../../keys/operations/made-keys.ts';
import type { Account } from '../../people/operations/account.ts';
import type { Audit } from '../../people/operations/audit.ts';
import type { FreeWorkspaces } from '../../people/operations/free-workspaces.ts';
import type { Invitations } from '../../people/operations/invitations.ts';
import type { MemberChanges } from '../../people/operations/member-changes.ts';
import type { Members } from '../../people/operations/members.ts';
import type { Passwords } from '../../people/operations/passwords.ts';
import type { SecondFactor } from '../../people/operations/second-factor.ts';
import type { Sessions } from '../../people/operations/sessions.ts';
import type { SignUp } from '../../people/operations/sign-up.ts';
import type { SingleSignOnStart } from '../../people/operations/single-sign-on.ts';
import type { WorkspaceSettings } from '../../people/operations/workspace-settings.ts';
import type { PublicSite } from '../../public-site/operations/public-site.ts';
import type { RequestLog } from '../../requests/operations/request-log.ts';
import type { ServiceStatus } from '../../status/operations/service-status.ts';
import type { StoreLists } from '../../stores/operations/store-lists.ts';
import type { Stores } from '../../stores/operations/stores.ts';
import type { Activity } from '../../usage/operations/activity.ts';
import type { Usage } from '../../usage/operations/usage.ts';
import type { Workspaces } from '../operations/workspaces.ts';
import type { Mail } from '../outbound/send-mail.ts';

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
