/*
 * Two Clocks as a library: pure functions from a scenario to an estimate, the same engine as the command and the page.
 * Profiles by name come from `twoclocks/catalog` (Node). Units are SI everywhere: seconds, bytes, FLOP/s, bytes/s.
 */

// The engine
export { type Estimate, estimate, estimateWith, explain, explainWith, type Prepared, prepare } from './estimate.ts';
export type { Clock } from './serving/clock.ts';
export type { MemoryEstimate } from './serving/memory-estimate.ts';
export type { Stability } from './serving/open-loop.ts';
export type { PoolCapacity } from './serving/pool-capacity.ts';
export type { OperatorExplanation, StepExplanation } from './serving/explanation.ts';
export { type Breakdown, type Resource, resources } from './roofline/resource.ts';

// The fast path
export { type CompiledDeployment, compile } from './serving/compiled.ts';
export { fillClocks } from './serving/load.ts';
export { type ClockSeconds, newClockSeconds } from './serving/clock-seconds.ts';

// Scenarios
export {
  type Deployment,
  deviceCount,
  type Disaggregation,
  type Grade,
  type Parallelism,
  type PrecisionChoice,
  type Router,
  type Scenario,
  singleDevice,
  type Speculation,
} from './profile/scenario.ts';
export type { Load, Workload } from './profile/workload.ts';
export { checkScenario } from './profile/check-scenario.ts';
export { ScenarioError } from './profile/scenario-messages.ts';

// Profiles
export type { Hardware } from './profile/hardware.ts';
export type { Model } from './profile/model.ts';
export type { Engine, EngineRelease } from './profile/engine.ts';
export { findRelease } from './profile/find-release.ts';
export { parameterCount } from './profile/parameter-count.ts';
export { keyValueBytes, keyValueBytesPerToken } from './profile/key-value-bytes.ts';
export { ProfileError } from './profile/profile-error.ts';

// Quantities
export type { Dimension } from './quantity/dimension.ts';
export { formatQuantity, formatRounded } from './quantity/format-quantity.ts';
export { numberFormat, numberFormatNames } from './quantity/number-format.ts';
export { QuantityError } from './quantity/quantity-error.ts';

// What if: which clock does a change move?
export { type Change, changeOf, leverNames, type Lookups, parseChange } from './whatif/change.ts';
export { applyLevers, independent, inverseOf, type Lever, LeverError, whyNot } from './whatif/lever.ts';
export { type ChangeResult, type ClockChange, type Shift, type WhatIf, whatIf } from './whatif/what-if.ts';
export { type Advice, type Advised, advise, type Ranking, rankings } from './whatif/advise.ts';
export { type Complaint, complaints } from './whatif/complaint.ts';
export {
  type Elasticities,
  type ElasticityCause,
  type ElasticityEffect,
  elasticitiesOf,
  elasticityEffects,
} from './whatif/elasticity.ts';
export {
  acceptanceThatPays,
  type BreakEven,
  contextWhereCacheEqualsWeights,
  hitRateForTtft,
  loadWhereBoundChanges,
  loadWhereLeverStops,
  priceWhereOtherWins,
  promptWherePrefillComputes,
  ranksWhereTpotTurns,
  replicasForRate,
} from './whatif/break-even.ts';
export { type DesignedDevice, type InverseDesign, inverseDesign, type Targets } from './whatif/inverse-design.ts';
export { type Waterfall, type WaterfallStep, waterfall } from './whatif/waterfall.ts';
export { checkClaim, type Claim, type ClaimResult, type ClaimVerdict } from './whatif/check-claim.ts';

// Under load: the event simulation
export { simulate } from './serving/simulate/simulate.ts';
export { type FiniteRun, simulateRun } from './serving/simulate/simulate-run.ts';
export type { SimulationResult } from './serving/simulate/simulation-result.ts';
export type {
  Arrivals,
  LengthDistribution,
  Objectives,
  SharedPrefix,
  SimulatedWorkload,
} from './serving/simulate/workload-spec.ts';
