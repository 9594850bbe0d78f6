#!/usr/bin/env bash
# Runs every notebook again and fails where a stored output changes. `--update` stores what comes out.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v jupyter-nbconvert >/dev/null 2>&1; then
  echo 'notebooks: skipped, as jupyter-nbconvert is not installed (Debian: apt-get install jupyter-nbconvert).'
  exit 0
fi
if ! npx --no-install deno --version >/dev/null 2>&1; then
  echo 'notebooks: skipped, as deno is not installed (npm ci).'
  exit 0
fi
npx --no-install deno jupyter --install --force >/dev/null 2>&1

again=$(mktemp -d)
trap 'rm -rf "$again"' EXIT
# Colours and times would differ from run to run.
run() {
  NO_COLOR=1 JUPYTER_PLATFORM_DIRS=1 jupyter-nbconvert --log-level WARN --to notebook --execute \
    --ExecutePreprocessor.record_timing=False --ExecutePreprocessor.timeout=300 --output-dir "$again" "$@"
}
run notebooks/*.ipynb

changed=0
for notebook in notebooks/*.ipynb; do
  new="$again/$(basename "$notebook")"
  if cmp -s "$notebook" "$new"; then continue; fi
  # A busy machine may lose an output on its way from the kernel: what differs has to differ twice.
  run "$notebook"
  if cmp -s "$notebook" "$new"; then continue; fi
  if [ "${1-}" = '--update' ]; then
    cp "$new" "$notebook"
    echo "notebooks: $notebook stored anew."
  else
    echo "notebooks: an output of $notebook changed; look at it, then: scripts/check-notebooks.sh --update"
    changed=1
  fi
done
exit $changed
