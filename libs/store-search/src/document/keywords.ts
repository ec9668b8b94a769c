import { confidences, installStates } from '@shopscope/proto';
import { type Day, type DayRange, dayText, lastDay } from '../language/days.ts';
import type { Confidence } from '../language/values.ts';

/** Keywords that carry several values of one entry. A slug has no `@`, `:` or `>`. */

const join = (...parts: string[]) => parts.join('@');

export const stateKeyword = (name: string, installState: string, confidence: string): string =>
  join(name, installState, confidence);
export const dayKeyword = (name: string, day: Day): string => join(name, dayText(day));

/** The name of a category or kind beside others in one field. */
export const groupName = (by: 'category' | 'kind', value: string): string => `${by}:${value}`;
export const moveName = (from: string, to: string): string => `${from}>${to}`;

/** The keywords of a name in a range of days: days have eight digits, so their order is that of their texts. */
export const dayKeywords = (name: string, { from, to }: DayRange): { gte: string; lte: string } => ({
  gte: dayKeyword(name, from ?? 0),
  lte: dayKeyword(name, to ?? lastDay),
});

/** The states and confidences that conditions allow, or undefined if they allow all. */
export function allowedStates({
  install_state: states,
  confidence_min: least,
}: {
  install_state?: readonly string[];
  confidence_min?: Confidence;
}): (readonly [installState: string, confidence: string])[] | undefined {
  if (states === undefined && least === undefined) return undefined;
  return (states ?? installStates).flatMap((state) => surerThan(least).map((each) => [state, each] as const));
}

export const everyState = installStates.flatMap((state) => confidences.map((each) => [state, each] as const));

/** The confidences in the order of the contract begin with the highest. */
const surerThan = (least: Confidence | undefined) =>
  least === undefined ? confidences : confidences.slice(0, confidences.indexOf(least) + 1);
