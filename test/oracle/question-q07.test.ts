import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { checkClaim } from '../../src/whatif/check-claim.ts';
import { question } from '../support/what-if.ts';

// microsoft/MInference#84: Llama-3-8B on an A100. 2 x 7.5e9 x 300,000 = 4.5 PFLOP for the matrices and
// 2 x 300,000^2 x 4096 x 32 = 23.6 PFLOP for causal attention: 28 PFLOP / 312 TFLOP/s = 90 s. 50,000: 1.34 PFLOP, 4.3 s.

const asked = (prompt: number) =>
  question('llama-3-8b', 'a100-sxm4-80gb', 'transformers', {
    prompt,
    output: 1,
    load: { kind: 'batch', size: 1 },
  });

describe('Q07: prefill of 300K tokens (microsoft/MInference#84)', () => {
  it('has floors of 89 s and 4.3 s', () => {
    expect(estimate(asked(300_000)).ttft.ideal).toBeGreaterThan(87);
    expect(estimate(asked(300_000)).ttft.ideal).toBeLessThan(91);
    expect(estimate(asked(50_000)).ttft.ideal).toBeCloseTo(4.34, 1);
  });

  it('says that 2.5 s for 50K is impossible for an empty cache, by the factor', () => {
    const [claim] = checkClaim(asked(50_000), { ttft: 2.5, plain: true });
    expect(claim?.verdict).toBe('impossible');
    expect(claim?.ofBound).toBeCloseTo(4.34 / 2.5, 1);
    expect(claim?.inequality).toMatch(/^TTFT 2\.5 s < 4\.3\d s = 1\d{3} TFLOP \/ 312 TFLOP\/s$/);
    const [cached] = checkClaim(asked(50_000), { ttft: 2.5 });
    expect(cached?.verdict).toBe('needs speculation or caching');
  });

  it('takes 3 minutes for 300K as plausible: half of peak, and its own prediction within 5 %', () => {
    const [claim] = checkClaim(asked(300_000), { ttft: 180, plain: true });
    expect(claim?.verdict).toBe('possible');
    expect(claim?.ofBound).toBeGreaterThan(0.45);
    expect(claim?.ofBound).toBeLessThan(0.55);
    expect((claim?.typical ?? 0) / 180).toBeGreaterThan(0.9);
    expect((claim?.typical ?? 0) / 180).toBeLessThan(1.1);
  });
});
