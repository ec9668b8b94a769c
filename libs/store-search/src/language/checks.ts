import type { z } from 'zod';
import { productStep } from './bounds.ts';

/** Rules about several members. The message of each names the member that the caller has to change. */

type Payload<Value> = z.core.ParsePayload<Value>;

const refuse = (payload: Payload<unknown>, path: PropertyKey[], message: string) =>
  payload.issues.push({ code: 'custom', path, message, input: payload.value });

const given = (value: object, names: readonly string[]) =>
  names.filter((name) => (value as Record<string, unknown>)[name] !== undefined);

const listed = (names: readonly string[]) => [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ');

export const exactlyOne = (names: readonly string[]) => (payload: Payload<object>) => {
  if (given(payload.value, names).length !== 1) refuse(payload, [], `must have exactly one of ${listed(names)}`);
};

export const atLeastOne = (names: readonly string[]) => (payload: Payload<object>) => {
  if (given(payload.value, names).length === 0) refuse(payload, [], `must have ${listed(names)}`);
};

/** `name` has no effect without one of `others`. */
export const onlyWith = (name: string, others: readonly string[]) => (payload: Payload<object>) => {
  if (given(payload.value, [name]).length === 0 || given(payload.value, others).length > 0) return;
  refuse(payload, [name], `must be sent with ${listed(others)}`);
};

/** A range that ends before it begins has no rows, which the caller did not mean. */
export const inOrder =
  (from: string, to: string, noLess: 'no less' | 'no earlier' = 'no earlier') =>
  (payload: Payload<object>) => {
    const { [from]: start, [to]: end } = payload.value as Record<string, number | undefined>;
    if (start !== undefined && end !== undefined && end < start)
      refuse(payload, [to], `must be ${noLess} than ${from}`);
  };

/** `first` and `second` are lists, each pair of which costs. */
export const atMostPairs = (max: number, first: string, second: string) => (payload: Payload<object>) => {
  const { [first]: some = [], [second]: others = [] } = payload.value as Record<string, readonly string[] | undefined>;
  if (some.length * others.length > max) refuse(payload, [second], `must have at most ${max} pairs with ${first}`);
};

export const inSteps = (payload: Payload<number>) => {
  // A text that is no number has an issue of its own.
  if (Number.isNaN(payload.value) || payload.value % productStep === 0) return;
  const nearest = Math.round(payload.value / productStep) * productStep;
  refuse(payload, [], `must be a multiple of ${productStep}; the nearest is ${nearest}`);
};
