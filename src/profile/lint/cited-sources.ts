import type { Citation } from '../citation.ts';
import type { HardwareRule } from './finding.ts';
import { noSource, undatedSource } from './messages.ts';

/** A figure without a document cannot be checked, and a document without a day or version cannot be found again. */
export const citedSources: HardwareRule = {
  name: 'cited-sources',
  find: ({ hardware: { sources } }) =>
    sources.length === 0
      ? [{ severity: 'error', path: 'sources', message: noSource() }]
      : sources.flatMap((source, index) =>
          isPinned(source)
            ? []
            : [{ severity: 'warning', path: `sources.${String(index)}`, message: undatedSource(source.source) }],
        ),
};

/** Dated, pinned to a commit or version, or named only as what another source cites. */
function isPinned({ source, date, note }: Citation): boolean {
  return date !== undefined || /@[0-9a-f]{7,40}\b|@\d+\.\d+/.test(source) || (note?.startsWith('not opened') ?? false);
}
