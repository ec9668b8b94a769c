import { describe, expect, it } from 'vitest';
import { inOrder, readGuide } from './guide.ts';
import { guideLinkOf } from './links.ts';

const front = "---\ntitle: 'Errors: all'\ndescription: What each means.\norder: 3\nsection: use\n---\n";
const blocksOf = (markdown: string) => readGuide('errors', front + markdown).blocks;

describe('guides', () => {
  it('a guide has the settings of its front matter', () => {
    const { title, description, order, section, source } = readGuide('errors', `${front}\nText.\n`);
    expect([title, description, order, section, source]).toEqual([
      'Errors: all',
      'What each means.',
      3,
      'use',
      'Text.',
    ]);
  });

  it('a guide without a setting, or with an unknown section, names the file and the fault', () => {
    expect(() => readGuide('errors', 'Text.')).toThrow('docs/guides/errors.md has no section');
    expect(() => readGuide('errors', front.replace('use', 'elsewhere'))).toThrow('there is no section elsewhere');
    expect(() => readGuide('errors', front.replace('title:', 'name:'))).toThrow('has no title');
  });

  it('a guide has the anchors that GitHub makes of its headings, each once', () => {
    const { headings } = readGuide(
      'a',
      `${front}## \`rate_limited\`\n\n## Lists, of any length\n\n### Wait\n\n### Wait\n`,
    );
    expect(headings.map(({ id }) => id)).toEqual(['rate_limited', 'lists-of-any-length', 'wait', 'wait-1']);
  });

  it('a guide makes one sample of successive blocks in several languages, and none of outputs', () => {
    const code = (language: string) => `\`\`\`${language}\n${language} code\n\`\`\`\n\n`;
    const blocks = blocksOf(`## Call\n\n${['sh', 'ts', 'python', 'json', 'sh', 'sh'].map(code).join('')}`);
    const shape = blocks.map((block) =>
      block.type === 'sample' ? block.codes.map(({ language }) => language).join() : block.type,
    );
    expect(shape).toEqual(['heading', 'sh,ts,python', 'code', 'sh', 'sh']);
  });

  it('a guide with HTML is refused, because pages show none', () => {
    expect(() => blocksOf('<script>alert(1)</script>\n')).toThrow('has HTML');
    expect(blocksOf('<!-- for editors -->\n\nText.\n')).toHaveLength(1);
  });

  it('guides are in the order of their sections, then of their numbers', () => {
    const guide = (slug: string, section: string, order: number) =>
      readGuide(slug, front.replace('use', section).replace('3', String(order)));
    const ordered = inOrder([
      guide('c', 'operate', 1),
      guide('b', 'use', 2),
      guide('a', 'start', 9),
      guide('d', 'use', 1),
    ]);
    expect(ordered.map(({ slug }) => slug)).toEqual(['a', 'd', 'b', 'c']);
  });
});

describe('links of guides', () => {
  it.each([
    ['errors.md#rate_limited', { href: '/docs/errors#rate_limited' }],
    ['billing.md', { href: '/docs/billing' }],
    ['../openapi.json', { href: '/docs/openapi.json' }],
    ['../schema.graphql', { href: '/docs/graphql/schema' }],
    ['#scopes', { href: '#scopes' }],
    ['https://example.com/a.md', { href: 'https://example.com/a.md' }],
    ['../../deploy/runbooks/README.md', { file: 'deploy/runbooks/README.md' }],
    ['../install.md', { file: 'docs/install.md' }],
  ])('the link %s of a guide leads to a page, or names the file', (target, link) => {
    expect(guideLinkOf(target)).toEqual(link);
  });
});
