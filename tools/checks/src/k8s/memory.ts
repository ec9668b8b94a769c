import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf } from './environment.ts';
import { deploymentsIn, type Manifest } from './manifests.ts';

/** The memory of one pod of a service in MiB, from the table in docs/scale.md. */
export interface MeasuredMemory {
  service: string;
  /** After the start, without requests. */
  idle: number;
  /** At usual load. */
  usual: number;
  peak: number;
  request: number;
  limit: number;
}

/** The limit has this share of the measured peak at least. */
export const peakMargin = 1.25;
/** The largest share of the limit that the old generation of the heap may have. */
const maxHeapPercentage = 60;

const row = /^\| ([a-z-]+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$/gm;

/** Reads the table `Memory of the services`. Throws if there is none. */
export function readMeasuredMemory(root: string): MeasuredMemory[] {
  const [, section] = readFileSync(join(root, 'docs/scale.md'), 'utf8').split('\n## Memory of the services\n');
  if (section === undefined) throw new Error('docs/scale.md has no section "Memory of the services"');
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(row)].map(([, service = '', ...figures]) => {
    const [idle = 0, usual = 0, peak = 0, request = 0, limit = 0] = figures.map(Number);
    return { service, idle, usual, peak, request, limit };
  });
}

/**
 * Each service requests the memory of its usual load, and its limit leaves room above its peak. An overlay may give more. The heap is
 * bounded by the limit, so that a service ends by an error of its own with a stack trace, and the kernel does not kill it.
 */
export function memoryProblems(manifests: readonly Manifest[], measured: readonly MeasuredMemory[]): string[] {
  return deploymentsIn(manifests).flatMap(({ manifest, container }) => {
    const { name } = manifest.metadata;
    const expected = measured.find(({ service }) => service === name);
    // The backup component is no service of the table. A test compares the table with the services.
    if (!expected) return [];
    const { variables } = environmentOf(container, manifests, { allowAbsent: true });
    const request = mebibytes(container.resources?.requests?.memory);
    const limit = mebibytes(container.resources?.limits?.memory);
    // A system for development runs several services without load on a small machine.
    const needsRequest = variables.SHOPSCOPE_ENV !== 'development';
    const heap = heapMebibytes(variables.NODE_OPTIONS, limit);
    return [
      ...(needsRequest && request < expected.request ? [`requests ${request} MiB, below ${expected.request}`] : []),
      ...(limit < expected.limit ? [`has the limit ${limit} MiB, below ${expected.limit}`] : []),
      ...(heap <= Math.round((limit * maxHeapPercentage) / 100)
        ? []
        : [`has no bound of its heap at ${maxHeapPercentage} % of its limit`]),
    ].map((problem) => `Deployment ${name} ${problem}`);
  });
}

/** The largest old generation that NODE_OPTIONS allows. Without an option, it is infinite. */
export function heapMebibytes(options: string | undefined, limit: number): number {
  const percentage = /--max-old-space-size-percentage=(\d+)/.exec(options ?? '')?.[1];
  const fixed = /--max-old-space-size=(\d+)/.exec(options ?? '')?.[1];
  if (percentage !== undefined) return Math.round((limit * Number(percentage)) / 100);
  return fixed === undefined ? Number.POSITIVE_INFINITY : Number(fixed);
}

/** The figure of a quantity such as `384Mi`, in MiB. The manifests use no other unit. */
export function mebibytes(quantity: string | undefined): number {
  return Number(/^(\d+)Mi$/.exec(quantity ?? '')?.[1]);
}
