import * as tryOut from '../../documentation/operations/try-out.ts';
import * as dashboardKeys from '../../keys/operations/dashboard-keys.ts';
import * as keys from '../../keys/operations/keys.ts';
import * as madeKeys from '../../keys/operations/made-keys.ts';
import * as account from '../../people/operations/account.ts';
import * as audit from '../../people/operations/audit.ts';
import * as freeWorkspaces from '../../people/operations/free-workspaces.ts';
import * as invitations from '../../people/operations/invitations.ts';
import * as memberChanges from '../../people/operations/member-changes.ts';
import * as members from '../../people/operations/members.ts';
import * as passwords from '../../people/operations/passwords.ts';
import * as secondFactor from '../../people/operations/second-factor.ts';
import * as sessions from '../../people/operations/sessions.ts';
import * as signUp from '../../people/operations/sign-up.ts';
import * as singleSignOn from '../../people/operations/single-sign-on.ts';
import * as workspaceSettings from '../../people/operations/workspace-settings.ts';
import * as publicSite from '../../public-site/operations/public-site.ts';
import * as requestLog from '../../requests/operations/request-log.ts';
import type { ServiceStatus } from '../../status/operations/service-status.ts';
import * as storeLists from '../../stores/operations/store-lists.ts';
import * as stores from '../../stores/operations/stores.ts';
import * as activity from '../../usage/operations/activity.ts';
import * as usage from '../../usage/operations/usage.ts';
import * as workspaces from '../operations/workspaces.ts';
import type { Mail } from '../outbound/send-mail.ts';
import type { Dependencies } from './dependencies.ts';

/** The operations that pages call. The built pages import types of them only: their code runs outside of the bundle. */
const operations = {
  account,
  activity,
  audit,
  dashboardKeys,
  freeWorkspaces,
  invitations,
  keys,
  madeKeys,
  memberChanges,
  members,
  passwords,
  publicSite,
  requestLog,
  secondFactor,
  sessions,
  signUp,
  storeLists,
  stores,
  tryOut,
  usage,
  workspaceSettings,
  workspaces,
};

/** The operations of a module without their first parameter. */
type Bound<Module> = {
  [Name in keyof Module as Module[Name] extends (deps: Dependencies, ...rest: never) => unknown
    ? Name
    : never]: Module[Name] extends (deps: Dependencies, ...input: infer Input) => infer Result
    ? (...input: Input) => Result
    : never;
};

type Operations = { [Name in keyof typeof operations]: Bound<(typeof operations)[Name]> };

export interface Application extends Operations {
  /** Public base of the HTTP API, for examples that people copy. */
  publicApiUrl: string;
  /** Public base of this application, which serves `/mcp` too. */
  dashboardUrl: string;
  serviceStatus: ServiceStatus;
  /** Present when an issuer is configured. */
  singleSignOn: (Bound<typeof singleSignOn> & { name: string }) | undefined;
  /** Present in development systems that keep mail instead of sending it. */
  developmentMails: { list(): Promise<(Mail & { sentAt: Date })[]> } | undefined;
}

type Module = Record<string, unknown>;

function bound<M extends Module>(module: M, deps: Dependencies): Bound<M> {
  const functions = Object.entries(module).flatMap(([name, value]) =>
    typeof value === 'function' ? [[name, (...input: unknown[]) => value(deps, ...input)]] : [],
  );
  return Object.fromEntries(functions);
}

export function createApplication(
  deps: Dependencies,
  rest: Pick<Application, 'serviceStatus' | 'developmentMails'> & { hasIssuer: boolean },
): Application {
  const { hasIssuer, ...others } = rest;
  const all = Object.entries(operations).map(([name, module]) => [name, bound(module as Module, deps)]);
  return {
    ...(Object.fromEntries(all) as Operations),
    publicApiUrl: deps.apiUrl,
    dashboardUrl: deps.url,
    singleSignOn: hasIssuer ? { name: deps.singleSignOnName, ...bound(singleSignOn, deps) } : undefined,
    ...others,
  };
}
