#!/usr/bin/env bash
# Runs every notebook again and fails where a stored output changes. `--update` stores what comes out (npm run notebooks);
# `--required` fails where a tool is missing, which else is said and skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in jupyter-nbconvert node_modules/.bin/deno; do
  command -v "$tool" >/dev/null 2>&1 && continue
  echo "notebooks: not run, as $tool is not installed (Debian: apt-get install jupyter-nbconvert; deno: npm ci)." >&2
  [ "${1-}" = '' ] && exit 0
  exit 1
done

again=$(mktemp -d)
trap 'rm -rf "$again"' EXIT
# Colours and times would differ from run to run.
export NO_COLOR=1 JUPYTER_PLATFORM_DIRS=1
# The kernel is of this run alone: nobody's own is touched.
export JUPYTER_PATH="$again/jupyter"
mkdir -p "$JUPYTER_PATH/kernels/deno"
cat >"$JUPYTER_PATH/kernels/deno/kernel.json" <<KERNEL
{
  "argv": ["$PWD/node_modules/.bin/deno", "jupyter", "--kernel", "--conn", "{connection_file}"],
  "display_name": "Deno",
  "language": "typescript"
}
KERNEL

run() {
  jupyter-nbconvert --log-level ERROR --to notebook --execute --ExecutePreprocessor.record_timing=False \
    --ExecutePreprocessor.timeout=300 --output-dir "$again" "$@" 2>&1 | { grep -v 'deno jupyter' || true; } >&2
}
run notebooks/*.ipynb

# What a person can compare of the outputs.
tables() {
  node -p 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).cells.flatMap(({ outputs = [] }) =>
    outputs.map(({ data = {} }) => [data["text/markdown"] ?? `(${Object.keys(data)})`].flat().join(""))).join("\n")' "$1"
}

changed=0
for notebook in notebooks/*.ipynb; do
  new="$again/$(basename "$notebook")"
  if cmp -s "$notebook" "$new"; then continue; fi
  # A busy machine may lose an output on its way from the kernel: what differs has to differ twice.
  run "$notebook"
  if cmp -s "$notebook" "$new"; then continue; fi
  if [ "${1-}" = '--update' ]; then
    cp "$new" "$again/first"
    run "$notebook"
    if ! cmp -s "$again/first" "$new"; then
      echo "notebooks: $notebook gives other outputs each time; nothing stored." >&2
      changed=1
      continue
    fi
    cp "$new" "$notebook"
    echo "notebooks: $notebook stored anew."
  else
    echo "notebooks: an output of $notebook changed; look at it, then: npm run notebooks" >&2
    diff <(tables "$notebook") <(tables "$new") | head -20 >&2 || true
    changed=1
  fi
done
[ $changed = 0 ] && echo 'notebooks: all run, outputs are as stored.'
exit $changed
