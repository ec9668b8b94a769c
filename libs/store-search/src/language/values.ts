import { confidences, installStates, storeStates } from '@shopscope/proto';
import { z } from 'zod';

/** The kinds of technologies that a profile lists. A platform is a member of its own. */
export const technologyKinds = ['app', 'service', 'theme'] as const;

export const sorts = ['domain', '-last_completed_scan_at', '-product_count', '-last_changed_at'] as const;
export type Sort = (typeof sorts)[number];

export const views = ['full', 'compact'] as const;

// Schemas of single values. Whether a slug or country exists is decided with the vocabulary: see normalize.ts.
export const slug = () => z.string().min(1).max(100);
export const country = () => z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters');
export const status = () => z.enum(storeStates);
export const installState = () => z.enum(installStates);
export type Confidence = (typeof confidences)[number];
export const confidence = () => z.enum(confidences);
export const kind = () => z.enum(technologyKinds);
export const listId = () => z.string().max(100).regex(/^lst_/).describe('Opaque, prefix lst_');
