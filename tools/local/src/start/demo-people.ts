import { randomBytes } from 'node:crypto';
import { createVisitor, type Visitor } from '@shopscope/browser/visitor';
import { AppError } from '@shopscope/errors';
import { createGrpcClient, type GrpcSecurity } from '@shopscope/grpc';
import { LocalStackError } from '@shopscope/local-stack';
import { DashboardServiceService } from '@shopscope/proto';
import type { DemoPeople, DemoPerson, LocalState } from './state.ts';

export interface Dashboard {
  /** Address of the dashboard, as browsers name it. */
  url: string;
  /** gRPC target of the dashboard. */
  address: string;
  security: GrpcSecurity;
}

const actor = 'operator:npm start';
const roles = ['admin', 'member'] as const;
type Role = (typeof roles)[number];

export type StateWithPeople = LocalState & Required<Pick<LocalState, 'people'>>;

/** Fixed addresses, and passwords that are made once per local state. */
export function withPeople(state: LocalState): StateWithPeople {
  return { ...state, people: state.people ?? { admin: newPerson('admin'), member: newPerson('member') } };
}

const newPerson = (role: Role): DemoPerson => ({
  email: `${role}@demo.example`,
  password: `demo-${role}-${randomBytes(6).toString('hex')}`,
});

/**
 * Creates an admin and a member of the demo workspace in the dashboard, as people come into being: an operator invites
 * an address, and its owner opens the link and chooses a name and a password.
 *
 * - The account exists and is a member -> unchanged.
 * - The account exists and the workspace is new -> it accepts an invitation to the new workspace.
 * - The password was changed in the dashboard -> unchanged, and a line says so.
 */
export async function createDemoPeople(
  dashboard: Dashboard,
  { people, workspaceId }: { people: DemoPeople; workspaceId: string },
  report: (line: string) => void,
): Promise<void> {
  const { address, security } = dashboard;
  const client = createGrpcClient({
    definition: DashboardServiceService,
    address,
    security: security.towards('dashboard'),
  });
  try {
    for (const role of roles) {
      const person = people[role];
      const visitor = createVisitor(dashboard.url);
      const signedIn = await signIn(visitor, person);
      if (signedIn === 'second factor') continue;
      if (signedIn && (await visitor.get(`/workspaces/${workspaceId}`)).status === 200) continue;
      const url = await invite(() => client.invitePerson({ workspaceId, email: person.email, role, actor }));
      if (url) await accept(visitor, new URL(url).pathname, person, role, Boolean(signedIn));
      else report(`The password of ${person.email} was changed in the dashboard; ${forget}`);
    }
  } finally {
    client.close();
  }
}

const forget = 'npm run reset makes a new account.';

/** The link of an invitation; undefined when the address belongs to a member. */
async function invite(call: () => Promise<{ url: string }>): Promise<string | undefined> {
  try {
    return (await call()).url;
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return undefined;
    throw error;
  }
}

async function signIn(visitor: Visitor, { email, password }: DemoPerson): Promise<boolean | 'second factor'> {
  const response = await visitor.submit('/sign-in', { email, password });
  if (response.status !== 302) return false;
  return response.headers.get('location')?.startsWith('/sign-in/code') ? 'second factor' : true;
}

async function accept(
  visitor: Visitor,
  path: string,
  { email, password }: DemoPerson,
  role: Role,
  hasAccount: boolean,
) {
  const form: Record<string, string> = hasAccount
    ? { intent: 'accept' }
    : { intent: 'sign-up', name: `Demo ${role}`, password };
  const response = await visitor.submit(path, form);
  const target = response.headers.get('location') ?? '';
  if (response.status === 302 && target.startsWith('/workspaces/')) return;
  const found = response.status === 302 ? 'has another password' : `was not created (status ${response.status})`;
  throw new LocalStackError(`The account ${email} ${found}; ${forget}`);
}
