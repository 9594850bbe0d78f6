/*
 * Sentences of reading engine profiles beyond those of any JSON file. Form: where: field path, value, what was
 * expected.
 */

export function noReleases(where: string): string {
  return `${where}: releases is empty, expected at least one.`;
}

export function incompleteFirstRelease(where: string, path: string): string {
  return `${where}: ${path} is missing, expected it in the first release; later ones may leave out what does not change.`;
}

export function unorderedReleases(where: string, path: string, version: string, since: string, before: string): string {
  return `${where}: ${path} is '${since}' for release '${version}', expected a day after ${before}; the oldest goes first.`;
}

export function repeatedRelease(where: string, version: string): string {
  return `${where}: releases repeats the version '${version}', expected every version once.`;
}

export function noRuleForAll(where: string, path: string): string {
  return `${where}: ${path} has no rule for every device, expected the last one to have neither memory nor except.`;
}

export function uncitedOverhead(where: string, path: string): string {
  return `${where}: ${path} is empty, expected a source for the overheads of this release.`;
}
