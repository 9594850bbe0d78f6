/** `count` layers of the kind `name`, one after another. */
export interface LayerRun {
  readonly name: string;
  readonly count: number;
}

/** Most layers that an order may spell out; the deepest published model has 126. */
const largestDepth = 2000;

const token = /\s*(?:(\d{1,4})|([A-Za-z][A-Za-z0-9-]*)|([(),]))/y;

/**
 * Reads the order of a model's layers: kinds with counts, and repeated groups in brackets.
 * `3 dense, 58 sparse`; `10 (5 local, global), 2 local`. Adjacent runs of one kind are joined.
 * @returns the runs, or undefined where the text is no such order or names more than 2000 layers.
 */
export function parseLayerOrder(text: string): readonly LayerRun[] | undefined {
  const tokens = tokenize(text);
  if (tokens === undefined) return undefined;
  const position = { next: 0 };
  const found = readList(tokens, position, 0);
  return found !== undefined && position.next === tokens.length ? joined(found) : undefined;
}

/** Shortest spelling of a sequence of layer kinds in the form that `parseLayerOrder` reads. */
export function formatLayerOrder(names: readonly string[]): string {
  // best[i] spells the layers from i on.
  const best: string[] = Array.from({ length: names.length + 1 }, () => '');
  for (let start = names.length - 1; start >= 0; start -= 1) {
    let shortest: string | undefined;
    for (const { text, length } of openings(names, start)) {
      const rest = best[start + length];
      const whole = rest === undefined || rest === '' ? text : `${text}, ${rest}`;
      if (shortest === undefined || whole.length < shortest.length) shortest = whole;
    }
    best[start] = shortest ?? '';
  }
  return best[0] ?? '';
}

function tokenize(text: string): readonly string[] | undefined {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.trimEnd().length) {
    const match = token.exec(text);
    if (match === null) return undefined;
    tokens.push(match[1] ?? match[2] ?? match[3] ?? '');
  }
  return tokens;
}

function readList(tokens: readonly string[], position: { next: number }, depth: number): LayerRun[] | undefined {
  if (depth > 3) return undefined;
  const found: LayerRun[] = [];
  let layers = 0;
  for (;;) {
    const item = readItem(tokens, position, depth);
    if (item === undefined) return undefined;
    layers += item.reduce((sum, { count }) => sum + count, 0);
    if (layers > largestDepth) return undefined;
    found.push(...item);
    if (tokens[position.next] !== ',') return found;
    position.next += 1;
  }
}

function readItem(tokens: readonly string[], position: { next: number }, depth: number): LayerRun[] | undefined {
  let count = 1;
  const first = tokens[position.next];
  if (first !== undefined && /^\d+$/.test(first)) {
    count = Number(first);
    position.next += 1;
  }
  const subject = tokens[position.next];
  position.next += 1;
  if (subject === undefined || count < 1 || count > largestDepth) return undefined;
  if (/^[A-Za-z]/.test(subject)) return [{ name: subject, count }];
  if (subject !== '(') return undefined;
  const inner = readList(tokens, position, depth + 1);
  if (inner === undefined || tokens[position.next] !== ')') return undefined;
  position.next += 1;
  if (inner.length * count > largestDepth) return undefined;
  return Array.from({ length: count }, () => inner).flat();
}

function joined(all: readonly LayerRun[]): readonly LayerRun[] {
  const result: LayerRun[] = [];
  for (const run of all) {
    const last = result.at(-1);
    if (last?.name === run.name) result[result.length - 1] = { name: run.name, count: last.count + run.count };
    else result.push(run);
  }
  return result;
}

/** Ways to spell the next few layers: one run, or a group repeated at least twice. */
function openings(names: readonly string[], start: number): { text: string; length: number }[] {
  const run = runLength(names, start);
  const found = [{ text: counted(run, names[start] ?? ''), length: run }];
  for (let period = 2; period <= Math.min(24, (names.length - start) / 2); period += 1) {
    let repeats = 1;
    while (sameBlock(names, start, start + repeats * period, period)) repeats += 1;
    const block = names.slice(start, start + period);
    for (let times = repeats; times >= 2; times -= 1) {
      found.push({ text: `${times} (${runs(block)})`, length: times * period });
    }
  }
  return found;
}

function runLength(names: readonly string[], start: number): number {
  let end = start;
  while (end < names.length && names[end] === names[start]) end += 1;
  return end - start;
}

function sameBlock(names: readonly string[], first: number, second: number, period: number): boolean {
  if (second + period > names.length) return false;
  for (let offset = 0; offset < period; offset += 1) {
    if (names[first + offset] !== names[second + offset]) return false;
  }
  return true;
}

function runs(names: readonly string[]): string {
  const parts: string[] = [];
  for (let start = 0; start < names.length;) {
    const run = runLength(names, start);
    parts.push(counted(run, names[start] ?? ''));
    start += run;
  }
  return parts.join(', ');
}

function counted(count: number, name: string): string {
  return count === 1 ? name : `${count} ${name}`;
}
