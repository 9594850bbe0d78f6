import { hardwareSchema, type HardwareFile } from '../hardware-schema.ts';
import type { Hardware } from '../hardware.ts';
import { hardwareFrom } from '../read-hardware.ts';
import { readJson } from '../read-json.ts';
import { absentFormatRule } from './absent-format.ts';
import { bandwidthOfKindRule } from './bandwidth-of-kind.ts';
import { bitsAsBytesRule } from './bits-as-bytes.ts';
import { bothDirectionsRule } from './both-directions.ts';
import { bridgeTopology } from './bridge-topology.ts';
import { capacityAsBandwidthRule } from './capacity-as-bandwidth.ts';
import { citedSources } from './cited-sources.ts';
import { clockRangeRule } from './clock-range.ts';
import { decimalCapacityRule } from './decimal-capacity.ts';
import { exposedCapacity } from './exposed-capacity.ts';
import { type Finding, type HardwareRule, unreadable } from './finding.ts';
import { fp16Accumulate } from './fp16-accumulate.ts';
import { honestConfidence } from './honest-confidence.ts';
import { knownArchitecture } from './known-architecture.ts';
import { knownDevice } from './known-device.ts';
import { staleAcknowledgement, unknownRule } from './messages.ts';
import { peakAboveFormulaRule } from './peak-above-formula.ts';
import { rackFigureRule } from './rack-figure.ts';
import { shaderRateRule } from './shader-rate.ts';
import { sparsePeak } from './sparse-peak.ts';
import { uncutInt8Rule } from './uncut-int8.ts';
import { unifiedMemory } from './unified-memory.ts';

/** Every rule, those about peaks first. */
export const hardwareRules: readonly HardwareRule[] = [
  sparsePeak,
  peakAboveFormulaRule,
  shaderRateRule,
  fp16Accumulate,
  absentFormatRule,
  uncutInt8Rule,
  capacityAsBandwidthRule,
  bandwidthOfKindRule,
  decimalCapacityRule,
  exposedCapacity,
  unifiedMemory,
  rackFigureRule,
  bothDirectionsRule,
  bitsAsBytesRule,
  bridgeTopology,
  clockRangeRule,
  knownArchitecture,
  knownDevice,
  citedSources,
  honestConfidence,
];

/**
 * Looks a hardware profile over for the traps that published figures fall into. A finding that the profile
 * acknowledges is left out; an acknowledgement that silences nothing is a finding itself.
 * @param where What sentences call the profile.
 * @param known Devices to compare with, where there are any: a profile named after one of them is held against it.
 * @returns Findings by rule; empty where nothing is wrong. A profile that cannot be read has one: rule `readable`.
 */
export function lintHardware(json: unknown, where: string, known: readonly Hardware[] = []): readonly Finding[] {
  let file: HardwareFile;
  let hardware: Hardware;
  try {
    file = readJson(hardwareSchema, json, where);
    hardware = hardwareFrom(file, where);
  } catch (error) {
    return [unreadable(error)];
  }
  const all = hardwareRules.flatMap(({ name, find }) =>
    find({ file, hardware, known }).map((finding) => ({
      rule: name,
      severity: finding.severity,
      path: finding.path,
      message: finding.message,
    })),
  );
  const acknowledged = file.acknowledged ?? [];
  return [
    ...all.filter(({ rule }) => !acknowledged.includes(rule)),
    ...acknowledged.flatMap((name) => acknowledgement(name, all)),
  ];
}

function acknowledgement(name: string, found: readonly Finding[]): readonly Finding[] {
  const names = hardwareRules.map((rule) => rule.name);
  const base = { rule: 'acknowledgement', path: 'acknowledged' } as const;
  if (!names.includes(name)) return [{ ...base, severity: 'error', message: unknownRule(name, names) }];
  return found.some(({ rule }) => rule === name)
    ? []
    : [{ ...base, severity: 'warning', message: staleAcknowledgement(name) }];
}
