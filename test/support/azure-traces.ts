/*
 * The layouts in which Azure published its LLM inference traces (github.com/Azure/AzurePublicDataset), with requests of
 * our own: three prompts of 600, 80 and 1,200 tokens, 12, 30 and 5 answered, a quarter and then two seconds apart.
 */

/** Requests of every layout below. */
export const azureRequests = [
  { arrival: 0, prompt: 600, output: 12 },
  { arrival: 0.25, prompt: 80, output: 30 },
  { arrival: 2.25, prompt: 1200, output: 5 },
] as const;

const header = 'TIMESTAMP,ContextTokens,GeneratedTokens';

/** Texts by the file whose layout each has. */
export const azureTraces: Readonly<Record<string, string>> = {
  // Seven digits of a second, no zone.
  'AzureLLMInferenceTrace_code.csv': `${header}
2023-11-16 18:15:46.8805900,600,12
2023-11-16 18:15:47.1305900,80,30
2023-11-16 18:15:49.1305900,1200,5
`,
  // The same, with the ends of lines that spreadsheets write and none at the end of the file.
  'AzureLLMInferenceTrace_conv.csv': `${header}\r
2023-11-16 18:15:46.8805900,600,12\r
2023-11-16 18:15:47.1305900,80,30\r
2023-11-16 18:15:49.1305900,1200,5`,
  // Six digits and an offset; pandas leaves the fraction out where it is nought.
  'AzureLLMInferenceTrace_code_1week.csv': `${header}
2024-05-10 23:59:59.750000+00:00,600,12
2024-05-11 00:00:00+00:00,80,30
2024-05-11 00:00:02+00:00,1200,5
`,
  'AzureLLMInferenceTrace_conv_1week.csv': `${header}
2024-05-12 00:00:00.009930+00:00,600,12
2024-05-12 00:00:00.259930+00:00,80,30
2024-05-12 00:00:02.259930+00:00,1200,5
`,
  // ISO 8601 to the millisecond, and a column of images.
  'AzureLMMInferenceTrace_multimodal.csv': `TIMESTAMP,NumImages,ContextTokens,GeneratedTokens
2024-10-15T12:00:00.269Z,0,600,12
2024-10-15T12:00:00.519Z,1,80,30
2024-10-15T12:00:02.519Z,16,1200,5
`,
};
