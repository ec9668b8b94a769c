import { BulkJobState, DeliveryState, EndpointState } from '@shopscope/proto';
import type * as delivery from '../../domain/delivery.ts';
import type * as endpoint from '../../domain/endpoint.ts';
import type * as replay from '../../domain/replay.ts';

export const endpointStates: Record<endpoint.EndpointState, EndpointState> = {
  active: EndpointState.ACTIVE,
  paused: EndpointState.PAUSED,
  disabled: EndpointState.DISABLED,
};

export const deliveryStates: Record<delivery.DeliveryState, DeliveryState> = {
  pending: DeliveryState.PENDING,
  delivering: DeliveryState.DELIVERING,
  succeeded: DeliveryState.SUCCEEDED,
  retrying: DeliveryState.RETRYING,
  failed: DeliveryState.FAILED,
};

export const replayStates: Record<replay.ReplayState, BulkJobState> = {
  queued: BulkJobState.QUEUED,
  running: BulkJobState.RUNNING,
  succeeded: BulkJobState.SUCCEEDED,
  failed: BulkJobState.FAILED,
  canceled: BulkJobState.CANCELED,
};
