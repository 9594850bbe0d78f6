import { writeFileSync } from 'node:fs';
import { currentPredictions, predictionsText } from '../test/golden/predictions.ts';

/** Records today's predictions of the golden scenarios; the diff of the file says what moved. */
const predictions = currentPredictions();
writeFileSync(new URL('../test/golden/predictions.json', import.meta.url), predictionsText(predictions));
console.log(`recorded ${Object.keys(predictions).length} predictions in test/golden/predictions.json`);
