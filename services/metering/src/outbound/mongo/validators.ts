import type { ValidatorDefinition } from '@shopscope/mongo';

/**
 * The types of the collections that decide what is billed. A wrong type would not fail at its write, but later: `$inc` of a text fails every
 * count of a workspace, and a sum ignores texts. A change of a schema increases its version, and must accept the documents that the running
 * version writes.
 */
const text = { bsonType: 'string' };
const date = { bsonType: 'date' };
const number = { bsonType: 'number' };
const units = { bsonType: 'object', additionalProperties: number };

export const ledgerValidator: ValidatorDefinition = {
  version: 1,
  schema: {
    required: ['kind', 'units', 'workspaceId', 'keyId', 'periodStart', 'operation', 'occurredAt', 'recordedAt'],
    properties: {
      _id: text,
      kind: text,
      units,
      workspaceId: text,
      keyId: text,
      periodStart: date,
      day: date,
      operation: text,
      occurredAt: date,
      recordedAt: date,
    },
  },
};

export const chargeValidator: ValidatorDefinition = {
  version: 1,
  schema: {
    required: ['workspaceId', 'keyId', 'attempt', 'units', 'periodStart'],
    properties: {
      _id: text,
      workspaceId: text,
      keyId: text,
      attempt: number,
      units,
      refunded: units,
      periodStart: date,
      sweepAt: date,
      forgetAt: date,
    },
  },
};

export const counterValidator: ValidatorDefinition = {
  version: 1,
  schema: {
    required: ['workspaceId', 'keyId', 'periodStart'],
    properties: {
      _id: text,
      workspaceId: text,
      keyId: text,
      periodStart: date,
      used: units,
      days: { bsonType: 'object', additionalProperties: units },
      touchedAt: date,
    },
  },
};

export const allowanceValidator: ValidatorDefinition = {
  version: 2,
  schema: {
    required: ['workspaceId', 'periodStart'],
    properties: {
      _id: text,
      workspaceId: text,
      periodStart: date,
      taken: units,
      included: units,
      adjustment: units,
      touchedAt: date,
      leases: {
        bsonType: 'array',
        items: {
          bsonType: 'object',
          properties: { id: text, unit: text, granted: number, spent: number, openedAt: date, endsAt: date },
        },
      },
    },
  },
};
