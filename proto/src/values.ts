/** The scopes of API keys, in the order of the public contract. */
export const scopes = [
  'read:stores',
  'read:signals',
  'write:scans',
  'read:watchlists',
  'write:watchlists',
  'read:webhooks',
  'write:webhooks',
  'read:jobs',
] as const;
export type Scope = (typeof scopes)[number];

// The values of a store profile and its signals. Messages contain them as texts, because a later release may add values.

export const confidences = ['high', 'medium', 'low'] as const;
export const observationScopes = ['full', 'partial'] as const;
export const storeStates = [
  'active_storefront',
  'password_protected',
  'redirected',
  'parked',
  'unreachable',
  'closed',
  'not_a_storefront',
] as const;
/** `configured`: set up, but not observed in use. `active`: in use. `inactive`: no longer observed in use, or absent. */
export const installStates = ['configured', 'active', 'inactive'] as const;
export const geographyBases = ['observed', 'declared', 'inferred', 'unknown'] as const;
export const industryBases = ['classified', 'declared', 'unknown'] as const;
export const coverages = ['first_page', 'full', 'none'] as const;
export const signalTypes = [
  'technology_added',
  'technology_removed',
  'install_state_changed',
  'platform_changed',
  'status_changed',
] as const;
/** The reasons why a confirmed signal was retracted: the next full observation saw its subject again. */
export const retractionReasons = ['technology_seen_again', 'platform_seen_again', 'status_seen_again'] as const;

/** The types of a workspace's events. A later release may add types. */
export const workspaceEventTypes = [
  'signal.confirmed',
  'signal.retracted',
  'scan.completed',
  'scan.failed',
  'job.finished',
  'usage.threshold_reached',
  'key.expiring',
  'watchlist.paused',
  'watchlist.resumed',
  'watchlist.rescans_paused',
  'watchlist.rescans_resumed',
  'webhook.failing',
  'webhook.disabled',
] as const;
export type WorkspaceEventType = (typeof workspaceEventTypes)[number];

/** Why an attempt to deliver a message to a webhook got no response. */
export const attemptErrors = [
  'dns_failure',
  'dns_unavailable',
  'blocked_address',
  'connection_refused',
  'connection_reset',
  'egress_broken',
  'tls_failure',
  'timeout',
  'invalid_response',
] as const;
export type AttemptError = (typeof attemptErrors)[number];
