import type { ProfileKind } from './catalog-entry.ts';

/*
 * Words that people put around a name without meaning another profile. A word left out of a look-up is reported, so
 * that nothing is dropped in silence.
 */

/** Vendors, product lines and nouns around a device's name. */
const deviceWords: ReadonlySet<string> = new Set(
  (
    'nvidia geforce tesla quadro rtx gtx amd instinct radeon rx ati intel arc apple silicon google cloud aws amazon habana ' +
    'tenstorrent huawei qualcomm gpu gpus tpu accelerator tensor core cores graphics card series edition generation oam ' +
    'sxm sxm2 sxm4 sxm5 pcie hbm2 hbm2e hbm3 hbm3e gddr6 gddr6x gddr7 ddr lpddr5 memory vram gb gib 8x 4x 2x 1x'
  ).split(' '),
);

/** Tuning, packaging and publisher words around a model's name. */
const modelWords: ReadonlySet<string> = new Set(
  (
    'instruct instruction it chat hf base pt pretrained sft dpo rlhf meta model models text latest official unsloth ' +
    'community gguf mlx onnx nvidia thinking reasoning preview hub pretrain qat reap50 nim'
  ).split(' '),
);

/** Number formats in the name of a checkpoint: another way to store the same model. */
const formatWord =
  /^(?:fp|bf|nvfp|mxfp|int|nf|w|q|iq)\d+(?:[abkw]\d*)?(?:_.*)?$|^(?:awq|gptq|autoround|bnb|exl[23]|[48]bit|[48]-bit|static|dynamic|pertensor|block|quantized|ud)$/;

/** Dates and versions behind a model's name: v0.1, 2507, 0528, 1.5 is none of them. */
const versionWord = /^(?:v\d+(?:\.\d+)*|\d{4}|\d{6,8}|preview|exp|latest)$/;

const memoryWord = /^\d+(?:gb|gib|g)$/;

/** What a word behind or before a name is; undefined where it belongs to the name. */
export type WordKind = 'packaging' | 'format' | 'version' | 'memory' | undefined;

/** Classifies a lower-case word of a written name. */
export function wordKind(kind: ProfileKind, word: string): WordKind {
  return classifiers[kind](word);
}

const classifiers: Readonly<Record<ProfileKind, (word: string) => WordKind>> = {
  hardware: (word) => {
    if (deviceWords.has(word)) return 'packaging';
    return memoryWord.test(word) ? 'memory' : undefined;
  },
  models: (word) => {
    if (modelWords.has(word)) return 'packaging';
    if (formatWord.test(word)) return 'format';
    return versionWord.test(word) ? 'version' : undefined;
  },
  engines: (word) => {
    if (/^(?:engine|server|serve|inference|nvidia|hf)$/.test(word)) return 'packaging';
    return /^v?\d+(?:\.\d+)*$/.test(word) ? 'version' : undefined;
  },
};

/** Stands for an underscore that is kept; no name holds it. */
const underscore = '\u0001';

/** Lower case, one organisation prefix ('meta-llama/') left out, separators made one: what is compared. */
export function foldName(text: string): string {
  return (
    text
      .trim()
      .toLowerCase()
      .replace(/^[^/\s]+\/(?=[^/]+$)/, '')
      .replace(/\.(?:gguf|json|safetensors)$/, '')
      .replace(/\.(?=[a-z])/g, '-')
      .replace(/[®™()[\],;]/g, ' ')
      // A GGUF type keeps its underscores, so that it stays one word: q4_k_m.
      .replace(/\b(i?q\d+)_([a-z\d]+)(?:_([a-z]+))?\b/g, (type) => type.replaceAll('_', underscore))
      .replace(/[\s_:/]+/g, '-')
      .replaceAll(underscore, '_')
      .replace(/(\d)-(?=gi?b\b)/g, '$1')
      .replace(/^(\d+x)(?=[a-z])/, '$1-')
      .replace(/-+/g, '-')
      .replace(/^-|-$/g, '')
  );
}

/** Words of a folded name. */
export function wordsOf(folded: string): string[] {
  return folded.split('-').filter((word) => word !== '');
}

/** A folded name without separators: 'h100-sxm' and 'h100 SXM', 'llama3.1-8b' and 'llama-3.1-8b' are one. */
export function compactName(folded: string): string {
  return folded.replaceAll('-', '');
}
