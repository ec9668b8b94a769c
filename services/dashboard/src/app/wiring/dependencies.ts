import type { Clock } from '@shopscope/clock';
import type { Transact } from '@shopscope/mongo';
import type { Logger } from '@shopscope/telemetry';
import type { DashboardKeyStore } from '../../keys/outbound/dashboard-keys.ts';
import type { GatewayReports } from '../../keys/outbound/gateway-reports.ts';
import type { KeysClient } from '../../keys/outbound/keys.ts';
import type { AuditOutbox } from '../../people/outbound/audit-outbox.ts';
import type { Auth } from '../../people/outbound/auth.ts';
import type { FreeWorkspaceStore } from '../../people/outbound/free-workspaces.ts';
import type { InvitationStore } from '../../people/outbound/invitations.ts';
import type { OrganizationStore } from '../../people/outbound/organizations.ts';
import type { PeopleStore } from '../../people/outbound/people.ts';
import type { SecondFactorStore } from '../../people/outbound/second-factors.ts';
import type { SessionStore } from '../../people/outbound/sessions.ts';
import type { ProfilesClient } from '../../public-site/outbound/profiles.ts';
import type { RequestStore } from '../../requests/outbound/request-batches.ts';
import type { ScanSchedulerClient } from '../../stores/outbound/scan-scheduler.ts';
import type { StoreListStore } from '../../stores/outbound/store-lists.ts';
import type { StoreLookupStore } from '../../stores/outbound/store-lookups.ts';
import type { KeyActivityStore } from '../../usage/outbound/key-activity.ts';
import type { MeteringClient } from '../../usage/outbound/metering.ts';
import type { Background } from '../operations/background.ts';
import type { GatewayClient } from '../outbound/gateway.ts';
import type { KnownVisitors } from '../outbound/known-visitors.ts';
import type { MemberStore } from '../outbound/members.ts';
import type { SendMail } from '../outbound/send-mail.ts';
import type { TeamStore } from '../outbound/team.ts';
import type { Throttle } from '../outbound/throttle.ts';

/** What operations work with. The composition root makes one of it. */
export interface Dependencies {
  clock: Clock;
  logger: Logger;
  background: Background;
  /** Public base of the dashboard. */
  url: string;
  /** Public base of the HTTP API. */
  apiUrl: string;
  /** SESSION_SECRET. */
  secret: string;
  openSignUp: boolean;
  /** Name on the button of single sign-on. */
  singleSignOnName: string;
  /** Domains of stores that the front page offers. */
  exampleStores: readonly string[];
  /** Other services. */
  keys: KeysClient;
  metering: MeteringClient;
  profiles: ProfilesClient;
  scans: ScanSchedulerClient;
  gateway: GatewayClient;
  sendMail: SendMail;
  /** Runs work in a transaction. */
  transact: Transact;
  auth: Auth;
  sessions: SessionStore;
  secondFactors: SecondFactorStore;
  people: PeopleStore;
  organizations: OrganizationStore;
  members: MemberStore;
  team: TeamStore;
  invitations: InvitationStore;
  freeWorkspaces: FreeWorkspaceStore;
  /** Entries of the audit log that the keys service has not recorded yet. */
  auditOutbox: AuditOutbox;
  dashboardKeys: DashboardKeyStore;
  keyActivity: KeyActivityStore;
  requests: RequestStore;
  lookups: StoreLookupStore;
  lists: StoreListStore;
  throttle: Throttle;
  /** In the memory of this instance. */
  visitors: KnownVisitors;
  reports: GatewayReports;
}
