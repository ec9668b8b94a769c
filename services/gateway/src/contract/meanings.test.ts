import {
  confidences,
  coverages,
  geographyBases,
  industryBases,
  installStates,
  observationScopes,
  signalTypes,
  storeStates,
} from '@shopscope/proto';
import { describe, expect, it } from 'vitest';
import { operations } from '../endpoints/endpoints.ts';
import { matchValues } from '../endpoints/enrich-stores/contract.ts';
import { jobErrorCodes, jobStates } from '../endpoints/jobs/contract.ts';
import { buildOpenapi } from './openapi.ts';

type Node = { [name: string]: Node } & { description?: string; $ref?: string };
const document = buildOpenapi(operations) as unknown as Node;
const { schemas } = document.components as unknown as { schemas: Record<string, Node> };

/** The field at a path of a component. References are followed. */
function field(component: string, ...path: string[]): Node {
  return path.reduce((at, name) => {
    const member = at.properties?.[name];
    const id = member?.$ref?.split('/').at(-1);
    return (id === undefined ? member : schemas[id]) as Node;
  }, schemas[component] as Node);
}

const fields = [
  [['Catalog', 'coverage'], coverages],
  [['StoreTechnology', 'confidence'], confidences],
  [['StoreTechnology', 'install_state'], installStates],
  [['Signal', 'type'], signalTypes],
  [['Signal', 'confidence'], confidences],
  [['Observation', 'scope'], observationScopes],
  [['Store', 'platform', 'confidence'], confidences],
  [['Store', 'geography', 'basis'], geographyBases],
  [['Store', 'industry', 'basis'], industryBases],
  [['Store', 'status', 'state'], storeStates],
  [['EnrichResult', 'match'], matchValues],
  [['Job', 'state'], jobStates],
  [['JobError', 'code'], jobErrorCodes],
] as const;

describe('openapi.json', () => {
  it.each(fields)('openapi.json explains each value of %j', ([component, ...path], values) => {
    const description = field(component, ...path).description ?? '';
    for (const value of values) expect(description.split(`\`${value}\`: `)[1]?.length, value).toBeGreaterThan(10);
    // No other value is explained, and none twice.
    expect(description.match(/`\w+`: /g)).toHaveLength(values.length);
  });

  it('openapi.json distinguishes a removal from the install_state inactive', () => {
    expect(field('Signal', 'type').description).toContain('inactive is such a change and not a removal');
  });

  it('openapi.json documents how to wait for a scan and for how long, and what a failed scan returns and costs', () => {
    const paths = document.paths as unknown as Record<string, Record<string, { description: string }>>;
    const enrich = paths['/v1/stores/enrich']?.post?.description;
    for (const part of [
      'GET /v1/jobs/{job_id}',
      'every 10 seconds',
      'within an hour',
      'stays 404',
      'the scan stays billed',
    ]) {
      expect(enrich).toContain(part);
    }
    expect(paths['/v1/stores/{domain}']?.get?.description).toContain('has failed answers 404');
    expect(field('EnrichRequest', 'refresh').description).toContain('stays billed when the scan fails');
    expect(field('EnrichResult', 'scan_job_id').description).toContain('GET /v1/jobs/{job_id}');
  });

  it('openapi.json documents that an unknown category returns an empty page', () => {
    const paths = document.paths as unknown as Record<
      string,
      Record<string, { parameters: { name: string; description: string }[] }>
    >;
    const category = paths['/v1/technologies']?.get?.parameters.find(({ name }) => name === 'category');
    expect(category?.description).toContain('an unknown one gives an empty page');
  });
});
