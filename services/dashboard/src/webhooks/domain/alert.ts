import { type Endpoint, EndpointState } from '@shopscope/proto';

/** An endpoint that is failing or was disabled, as the webhooks service tells it once. */
export interface Alert {
  /** The id of the event. */
  id: string;
  workspaceId: string;
  endpointId: string;
  kind: AlertKind;
}

export const alertKinds = ['failing', 'disabled'] as const;
export type AlertKind = (typeof alertKinds)[number];

/** Whether the endpoint is still in the state that the alert tells. */
export function isOpen({ kind }: Pick<Alert, 'kind'>, endpoint: Endpoint): boolean {
  if (kind === 'disabled') return endpoint.state === EndpointState.DISABLED;
  return endpoint.state === EndpointState.ACTIVE && endpoint.failingSinceMs !== undefined;
}
