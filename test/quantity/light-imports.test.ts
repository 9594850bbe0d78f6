import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Packages that a module reaches through static imports of values; `import()` and types do not count. */
function packagesOf(entry: string): ReadonlySet<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: URL): void => {
    if (seen.has(file.href)) return;
    seen.add(file.href);
    const source = readFileSync(file, 'utf8');
    for (const [, clause = '', target = ''] of source.matchAll(/^(?:import|export) ([^;]*?)from '([^']+)';/gms)) {
      if (clause.startsWith('type ')) continue;
      if (target.startsWith('.')) visit(new URL(target, file));
      else packages.add(target);
    }
  };
  visit(new URL(`../../src/${entry}`, import.meta.url));
  return packages;
}

describe('what is loaded at once', () => {
  it.each([
    'quantity/format-quantity.ts',
    'quantity/number-format.ts',
    'catalog/bundled.ts',
    'catalog/resolve-name.ts',
    'catalog/profile-file.ts',
    'estimate.ts',
  ])('%s needs neither the unit parser nor the schema library', (entry) => {
    const packages = packagesOf(entry);
    expect([...packages].filter((name) => name === 'mathjs' || name.startsWith('zod'))).toEqual([]);
  });

  it('sees what parsing needs', () => {
    expect(packagesOf('quantity/parse-quantity.ts')).toContain('mathjs');
    expect(packagesOf('profile/read-engine.ts')).toContain('zod/mini');
  });
});
