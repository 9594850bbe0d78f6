import * as fc from 'fast-check';

/*
 * Every property draws the same cases on every run, so that what fails was broken by the change and not drawn by it.
 * `SEED=fresh npm test` looks for counterexamples among new ones; a number repeats what such a run printed.
 */
const wanted = process.env['SEED'] ?? '20261202';
fc.configureGlobal({ seed: wanted === 'fresh' ? Date.now() : Number(wanted) });
