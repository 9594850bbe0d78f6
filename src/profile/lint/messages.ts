import { formatRounded } from '../../quantity/format-quantity.ts';
import { nearest, shown } from '../messages.ts';

/* Every sentence that a lint rule can produce: value, what was expected, what it looks like. */

/** Integer formats count operations, the others floating-point operations. */
const rate = (format: string, value: number): string => {
  const written = formatRounded(value, 'flop-rate', 5);
  return format.startsWith('int') ? written.replace('FLOP', 'OP') : written;
};
const bandwidth = (value: number): string => formatRounded(value, 'bandwidth', 5);
const times = (value: number): string => `${String(Number(value.toPrecision(3)))} times`;

// Peaks

export function sparseByFormula(format: string, peak: number, computed: number): string {
  return `${format} is ${rate(format, peak)}, ${times(peak / computed)} what units x rate x clock give (${rate(format, computed)}); it looks like the figure with 2:1 sparsity, halve it.`;
}

export function sparseBySibling(
  format: string,
  peak: number,
  base: string,
  ratio: number,
  largest: number,
  sparsity: boolean,
): string {
  const advice = sparsity ? 'it looks like the figure with 2:1 sparsity' : 'nothing in it doubles that rate';
  return `${format} is ${rate(format, peak)}, ${times(ratio)} ${base} where this family has at most ${String(largest)}; ${advice}.`;
}

export function sparseBase(base: string, peak: number, narrow: string): string {
  return `${base} is ${rate(base, peak)} and ${narrow} no more than that where this family has twice; ${base} looks like the figure with 2:1 sparsity.`;
}

export function sparseByKnown(format: string, peak: number, device: string, dense: number): string {
  return `${format} is ${rate(format, peak)}, twice the dense peak of ${device} (${rate(format, dense)}); it looks like the figure with 2:1 sparsity, halve it.`;
}

export function unequalSixteenBit(fp16: number, bf16: number): string {
  return `fp16 is ${rate('fp16', fp16)} and bf16 ${rate('bf16', bf16)}; this family runs both at one rate, so the larger looks like the figure with 2:1 sparsity.`;
}

export function peakAboveFormula(format: string, peak: number, computed: number): string {
  return `${format} is ${rate(format, peak)}, ${times(peak / computed)} what units x rate x clock give (${rate(format, computed)}); check the clock and the number of enabled units.`;
}

export function shaderRate(format: string, peak: number, computed: number): string {
  return `${format} is ${rate(format, peak)}, ${times(peak / computed)} what the matrix units give (${rate(format, computed)}); it looks like the shader rate.`;
}

export function fp16AccumulateAsWide(format: string, peak: number, wide: number): string {
  return `${format} is ${rate(format, peak)}, the rate with FP16 accumulation; expected about ${rate(format, wide)} with FP32 accumulation, and the doubled rate in matrixFp16Accumulate.`;
}

export function unevenAccumulate(format: string, narrow: number, wide: number): string {
  return `matrixFp16Accumulate.${format} is ${rate(format, narrow)}, expected twice matrix.${format} (${rate(format, wide)}).`;
}

export function absentFormat(format: string, peak: number, architecture: string): string {
  return `${format} is ${rate(format, peak)}, but ${architecture} has no ${format} matrix arithmetic; leave it out.`;
}

export function uncutInt8(int8: number, fp8: number): string {
  return `int8 is ${rate('int8', int8)} beside fp8 of ${rate('fp8', fp8)}; Blackwell Ultra (fp4 three times fp8) cut INT8 to about 0.033 of FP8.`;
}

// Memory

export function capacityAsBandwidth(value: number, capacity: string, devices: number): string {
  const what =
    devices === 1
      ? `memory.capacity (${shown(capacity)})`
      : `${String(devices)} times memory.capacity (${shown(capacity)})`;
  return `memory.bandwidth is ${bandwidth(value)}, the number of ${what}; it looks like a capacity.`;
}

export function bandwidthOfKind(value: number, kind: string, least: number, most: number): string {
  return `memory.bandwidth is ${bandwidth(value)}; devices with ${kind} have ${bandwidth(least)} to ${bandwidth(most)}.`;
}

export function decimalCapacity(written: string, gibibytes: number): string {
  return `memory.capacity is ${shown(written)}, which is ${String(Number(gibibytes.toPrecision(4)))} GiB; data sheets that say GB of device memory mean GiB, so write GiB, or give memory.reported.`;
}

export function physicalCapacity(gibibytes: number, exposed: string): string {
  return `memory.capacity is ${String(gibibytes)} GiB, the size of the stacks; devices of this family expose ${exposed}, so give memory.reported.`;
}

export function reportedAbove(reported: number, capacity: number): string {
  return `memory.reported is ${formatRounded(reported, 'bytes', 5)}, more than memory.capacity of ${formatRounded(capacity, 'bytes', 5)}.`;
}

export function reportedFarBelow(reported: number, capacity: number): string {
  return `memory.reported is ${formatRounded(reported, 'bytes', 5)}, less than 0.85 of memory.capacity of ${formatRounded(capacity, 'bytes', 5)}; drivers keep back a few per cent.`;
}

export function notUnified(architecture: string): string {
  return `memory.unified is false, but ${architecture} shares its memory with the CPU.`;
}

// Racks

export function rackPeak(format: string, peak: number, devices: number): string {
  return `${format} is ${rate(format, peak)}, ${String(devices)} times what one device gives; it looks like the figure of a whole system.`;
}

export function rackFigure(path: string, written: string, most: string): string {
  return `${path} is ${shown(written)}, more than one device has (${most}); it looks like the figure of a whole system.`;
}

// Links

export function bothDirections(path: string, value: number, perDirection: number): string {
  return `${path} is ${bandwidth(value)}, the sum of both directions; expected ${bandwidth(perDirection)} per direction.`;
}

export function bitsAsBytes(path: string, value: number): string {
  return `${path} is ${bandwidth(value)}; it looks like ${formatRounded(value / 1e9, 'count')} Gbit/s, which is ${bandwidth(value / 8)}.`;
}

export function otherPcieRate(value: number, kind: string, expected: number): string {
  return `host.bandwidth is ${bandwidth(value)}; ${kind} gives ${bandwidth(expected)} per direction.`;
}

export function bridgeAsSwitch(kind: string, topology: string): string {
  return `link.topology is '${topology}' for ${kind} on a card; a bridge joins pairs (or four cards) only, expected 'bridge'.`;
}

export function wideBridge(domain: number): string {
  return `link.domain is ${String(domain)} for a bridge; bridges join 2 or 4 devices.`;
}

export function absentLink(kind: string, family: string): string {
  return `link.kind is ${shown(kind)}, but ${family} has no NVLink.`;
}

// Others

export function clockRange(value: number, least: number, most: number): string {
  const clock = (hertz: number): string => formatRounded(hertz, 'frequency');
  return `units.boostClock is ${clock(value)}, expected ${clock(least)} to ${clock(most)}.`;
}

export function unknownArchitecture(architecture: string, known: readonly string[]): string {
  const near = nearest(architecture, known);
  return `architecture is ${shown(architecture)}, which no efficiencies are known for${near === undefined ? '' : `; nearest known family '${near}'`}.`;
}

export function noSource(): string {
  return 'sources is empty; expected at least one document where the figures can be looked up.';
}

export function undatedSource(source: string): string {
  return `${shown(source)} has neither a date nor a commit or version, so nobody can open the same document again.`;
}

export function confidentUncited(fields: readonly string[]): string {
  return `confidence is 'high' while ${fields.join(' and ')} ${fields.length === 1 ? 'is' : 'are'} uncited; expected 'medium' or 'low'.`;
}

export function unknownRule(name: string, rules: readonly string[]): string {
  const near = nearest(name, rules);
  return `acknowledged names the unknown rule ${shown(name)}${near === undefined ? '' : `, nearest rule '${near}'`}.`;
}

export function staleAcknowledgement(name: string): string {
  return `acknowledged names ${name}, which finds nothing in this profile; take it out.`;
}

export function differsFromKnown(path: string, value: string, device: string, known: string): string {
  return `${path} is ${value}; the shipped profile ${device} has ${known}.`;
}

// Models

export function otherParameterCount(published: number, derived: number, tolerance: number): string {
  const within = tolerance === 0 ? 'the same to the last one' : `the same within ${String(tolerance * 100)} %`;
  return `published are ${String(published)} parameters, but the dimensions give ${String(derived)} (${String(Number(((derived / published - 1) * 100).toPrecision(2)))} %), expected ${within}.`;
}
