import { modelFacts } from '../../present/model-facts.ts';
import { plainText } from '../../present/plain-text.ts';
import { profileText } from '../../present/profile-text.ts';
import { modelToFile, modelToJson } from '../../profile/model-to-json.ts';
import { jsonText } from '../output-format.ts';
import type { Command, Given, Outcome } from '../command.ts';
import { modelFromPath } from '../profile-files.ts';
import { writeAside } from '../write-aside.ts';

const epilogue = `Examples
  twoclocks import ./Llama-3.1-8B/config.json
  twoclocks import ./model-Q4_K_M.gguf -o my-model.json && twoclocks estimate -m my-model.json -g rtx-4090
  twoclocks import ./my-model --json | jq .parameters`;

export const importCommand: Command = {
  positionals: '<config.json|folder|file.gguf>',
  counts: [1, 1],
  options: {
    json: {
      type: 'flag',
      group: 'Output',
      describe: 'the profile, its parameters and what was not understood, as JSON',
    },
    out: { type: 'text', group: 'Output', alias: ['o'], describe: 'write the profile to this file, for --model' },
  },
  epilogue,
  run,
};

async function run({ positionals, text, flags }: Given): Promise<Outcome> {
  const [path = ''] = positionals;
  const { model, notes, kind } = await modelFromPath(path);
  const out = text['out'];
  if (out !== undefined) writeAside(out, modelToJson(model));
  if (flags.has('json')) {
    const { $schema: _address, ...profile } = modelToFile(model);
    const json = { schema: 'twoclocks/import@1', from: kind, ...modelFacts(model), notes, profile };
    return { output: jsonText(json), code: 0 };
  }
  const said = [
    ...notes.map((note) => `Note: ${plainText(note)}`),
    ...(out === undefined ? [] : [`Written to ${plainText(out)}.`]),
  ];
  return {
    output: `${profileText({ kind: 'models', profile: model })}${said.length === 0 ? '' : `\n${said.join('\n')}\n`}`,
    code: 0,
  };
}
