/** API keys of a workspace. Members can read them; admins can create and revoke them. */

import { dayMs, parseDay } from '@shopscope/clock';
import { parseEnvironment } from '@shopscope/environment';
import { AppError, invalidField } from '@shopscope/errors';
import type { Key } from '@shopscope/proto';
import { currentActor, type PersonName } from '../../app/domain/actor.ts';
import { parseLabel, requireFormToken } from '../../app/domain/text.ts';
import { segmentOf } from '../../app/domain/workspace-segment.ts';
import {
  actorOf,
  type Membership,
  requireAdmin,
  requireRecentAdmin,
  requireRecentSignIn,
  requireStillAdmin,
  type WorkspaceVisit,
} from '../../app/operations/visit.ts';
import type { Dependencies } from '../../app/wiring/dependencies.ts';
import { keySummary } from '../domain/key-state.ts';

/** An API key as pages show it. */
export type KeyView = ReturnType<typeof toView>;

/** The progress of the revocation of a key. */
export type Revocation = NonNullable<ReturnType<typeof revocation>>;

export interface NewKeyInput {
  label: string;
  environment: string;
  /** Empty if single scopes were chosen. */
  preset: string;
  scopes: string[];
  expiry: Expiry;
  /** A repeated token never creates a second key. */
  requestToken: string;
}

/** `days` counts from now. `date` is the last day of the key in UTC, as YYYY-MM-DD. */
export type Expiry = { kind: 'none' } | { kind: 'days'; days: number } | { kind: 'date'; date: string };

const keysPerPage = 50;
/** The contract: revoked keys are listed for this time. */
export const revokedListingMs = 30 * dayMs;
/** The contract: every gateway refuses a revoked key within this time. */
const revocationBoundMs = 60_000;
/** Pages show a revocation for this time. Gateways' acknowledgements are kept in memory for longer. */
const followedMs = 5 * 60_000;

const presets = ['read_only', 'read_and_watch', 'full'];

const find = async (deps: Dependencies, visit: WorkspaceVisit, keyId: string): Promise<Key> => {
  if (!/^key_[0-9a-z]{1,60}$/.test(keyId)) throw noSuchKey();
  const key = await deps.keys.getKey(visit.membership.workspaceId, keyId, visit.origin);
  if (key.environment !== visit.origin.environment) throw noSuchKey();
  return key;
};

const namesOf = (deps: Dependencies, { membership }: WorkspaceVisit) => deps.team.names(membership.organizationId);

/** Pages of the environment's unrevoked keys, newest first, and of the keys that were revoked in the last 30 days, latest first. */
export async function list(deps: Dependencies, visit: WorkspaceVisit, from: { current: string; revoked: string }) {
  const { workspaceId } = visit.membership;
  const { environment } = visit.origin;
  const page = { workspaceId, environment, limit: keysPerPage, revokedAfterMs: deps.clock.now() - revokedListingMs };
  const read = (revoked: boolean, position: string) => deps.keys.listKeys({ ...page, revoked, position }, visit.origin);
  const [current, revoked, names] = await Promise.all([
    read(false, from.current),
    read(true, from.revoked),
    namesOf(deps, visit),
  ]);
  return {
    current: current.keys.map((key) => toView(key, names, visit.membership)),
    revoked: revoked.keys.map((key) => toView(key, names, visit.membership)),
    /** The positions where the next page of each list begins. */
    older: { current: current.nextPosition, revoked: revoked.nextPosition },
  };
}

/** Throws `not_found` if the key belongs to another workspace. */
export async function get(deps: Dependencies, visit: WorkspaceVisit, keyId: string): Promise<KeyView> {
  const [key, names] = await Promise.all([find(deps, visit, keyId), namesOf(deps, visit)]);
  return toView(key, names, visit.membership);
}

/** Checks that the person may create a key, also as a replacement. Throws for members and without a recent sign-in. */
export async function openForCreation(deps: Dependencies, visit: WorkspaceVisit, rotatedKeyId: string) {
  requireAdmin(visit.membership);
  const rotated = rotatedKeyId === '' ? undefined : rotatable(await get(deps, visit, rotatedKeyId));
  requireRecentSignIn(visit.person, deps.clock.now());
  return rotated;
}

/**
 * Returns an empty secret if an earlier request with the same token created the key.
 *
 * The role is read again before the secret is shown. A person who is removed or demoted meanwhile therefore gets no secret of a key that
 * the removal did not list. If the revocation of that key fails, nobody knows its secret.
 */
export async function create(deps: Dependencies, visit: WorkspaceVisit, input: NewKeyInput) {
  requireRecentAdmin(deps, visit);
  if (input.label === '') throw invalidField('label', 'Enter a label, for example the system that will use the key.');
  const label = parseLabel('label', input.label);
  if (input.preset !== '' && !presets.includes(input.preset)) throw invalidField('preset', 'Choose an access level.');
  if (input.preset === '' && input.scopes.length === 0) throw invalidField('scopes', 'Choose at least one scope.');
  const environment = parseEnvironment(input.environment);
  if (!environment) throw invalidField('environment', 'Choose live or test.');
  requireFormToken(input.requestToken);
  const { workspaceId } = visit.membership;
  const { key, secret } = await deps.keys.createKey(
    {
      workspaceId,
      environment,
      label,
      preset: input.preset,
      scopes: input.preset === '' ? input.scopes : [],
      expiresAtMs: expiryMs(input.expiry, deps.clock.now()),
      requestToken: input.requestToken,
      ...actorOf(visit),
    },
    visit.origin,
  );
  await requireStillAdmin(deps.team, visit).catch(async (error) => {
    const made = { workspaceId, keyId: key?.id ?? '' };
    if (secret !== '') await deps.keys.revokeKey({ ...made, ...actorOf(visit) }, visit.origin);
    throw error;
  });
  return {
    key: toView(key as Key, await namesOf(deps, visit), visit.membership),
    secret,
    segment: segmentOf({ workspaceId, environment }),
  };
}

/** A key and its replacement. Throws for members. */
export async function openForRotation(deps: Dependencies, visit: WorkspaceVisit, keyId: string, replacementId: string) {
  requireAdmin(visit.membership);
  const old = rotatable(await get(deps, visit, keyId));
  return { old, replacement: replacementId === '' ? undefined : await get(deps, visit, replacementId) };
}

/** The key for the form that revokes it. Throws for members and without a recent sign-in. */
export async function openForRevocation(deps: Dependencies, visit: WorkspaceVisit, keyId: string): Promise<KeyView> {
  requireAdmin(visit.membership);
  const key = await get(deps, visit, keyId);
  requireRecentSignIn(visit.person, deps.clock.now());
  return key;
}

/** `confirmation` must be the key's prefix. Revoking a revoked key again changes nothing. */
export async function revoke(deps: Dependencies, visit: WorkspaceVisit, keyId: string, confirmation: string) {
  requireAdmin(visit.membership);
  const key = await find(deps, visit, keyId);
  requireRecentSignIn(visit.person, deps.clock.now());
  if (confirmation !== key.prefix) throw invalidField('prefix', `Enter the prefix of this key: ${key.prefix}`);
  const { workspaceId } = visit.membership;
  await deps.keys.revokeKey({ workspaceId, keyId, ...actorOf(visit) }, visit.origin);
}

/** Undefined if the key is not revoked, or was revoked more than 5 minutes ago. */
export function revocation(
  deps: Dependencies,
  visit: WorkspaceVisit,
  { id: keyId, revokedAtMs }: Pick<KeyView, 'id' | 'revokedAtMs'>,
) {
  const nowMs = deps.clock.now();
  if (revokedAtMs === undefined || nowMs - revokedAtMs > followedMs) return undefined;
  const gateways = deps.reports.mayServe();
  const applied = deps.reports.revocation(visit.membership.workspaceId, keyId);
  const times = gateways.flatMap((id) => applied.get(id) ?? []);
  const isRefused = gateways.length > 0 && times.length === gateways.length;
  const state: 'waiting' | 'refused' | 'elapsed' = isRefused
    ? 'refused'
    : nowMs - revokedAtMs >= revocationBoundMs
      ? 'elapsed'
      : 'waiting';
  return {
    state,
    revokedAtMs,
    /** From this time on every gateway refuses the key, even a gateway that reports nothing. */
    effectiveByMs: revokedAtMs + revocationBoundMs,
    /** The number of serving gateways, and of those that refuse the key. */
    gateways: gateways.length,
    refusing: times.length,
    /** The time until the last of these gateways refused the key. Clocks of machines differ by milliseconds. */
    afterMs: times.length > 0 ? Math.max(0, Math.max(...times) - revokedAtMs) : undefined,
  };
}

const toView = (key: Key, names: ReadonlyMap<string, PersonName>, { role }: Membership) => ({
  ...keySummary(key),
  scopes: key.scopes,
  /** Empty if the key was created before presets were recorded. */
  preset: key.preset,
  createdBy: currentActor(key.createdBy, names),
  /** Empty if it was not recorded, and for members. */
  createdFrom: role === 'admin' ? key.createdFrom : '',
  revokedAtMs: key.revokedAtMs,
  /** Undefined if it was not recorded. */
  revokedBy: key.revokedBy === '' ? undefined : currentActor(key.revokedBy, names),
});

function rotatable(key: KeyView): KeyView {
  if (!key.isOfDashboard) return key;
  throw new AppError('conflict', 'The dashboard renews its own key. Revoke it to turn Stores off.');
}

function expiryMs(expiry: Expiry, nowMs: number): number | undefined {
  if (expiry.kind === 'none') return undefined;
  if (expiry.kind === 'days') {
    if (![30, 90, 365].includes(expiry.days)) throw invalidField('expires', 'Choose when the key expires.');
    // The end of a UTC day, so that a form that is sent again asks for the same expiry.
    return (Math.floor(nowMs / dayMs) + expiry.days + 1) * dayMs;
  }
  if (expiry.date === '') throw invalidField('expires_on', 'Enter a date.');
  const startMs = parseDay(expiry.date);
  if (startMs === undefined) throw invalidField('expires_on', 'This date does not exist. Example: 2027-03-01');
  const endMs = startMs + dayMs;
  if (endMs <= nowMs) throw invalidField('expires_on', 'Choose today or a later day.');
  return endMs;
}

const noSuchKey = () => new AppError('not_found', 'There is no such key in this workspace.');
