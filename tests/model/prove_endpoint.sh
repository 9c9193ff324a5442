#!/bin/sh
# Proves every sound example on a running server over HTTP, and on dynalite where it is installed.
# usage: prove_endpoint.sh PREJOIN_PROGRAM SOURCE_DIR
set -eu
prejoin=$1
source=$2
work=$(mktemp -d)
pids=
cleanup() {
  for pid in $pids; do kill "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap cleanup EXIT

wait_for_line() { # file
  i=0
  while [ $i -lt 100 ] && ! grep -q 'http://' "$1"; do sleep 0.1; i=$((i + 1)); done
}

"$prejoin" serve --memory --port 0 >"$work/server" 2>&1 &
pids="$pids $!"
wait_for_line "$work/server"
url=$(grep -o 'http://[0-9.:]*' "$work/server" | head -1)
"$prejoin" prove "$source"/examples/models/*.prejoin --endpoint "$url"

# apply refuses to touch a table that exists.
model="$source/examples/models/d04_students_and_courses.prejoin"
"$prejoin" apply "$model" --endpoint "$url"
if "$prejoin" apply "$model" --endpoint "$url" 2>/dev/null; then
  echo "apply overwrote a table" >&2
  exit 1
fi
"$prejoin" apply "$model" --endpoint "$url" --replace

dynalite="$source/bench/node_modules/dynalite"
if [ -d "$dynalite" ] && command -v node >/dev/null; then
  node -e "const s = require('$dynalite')({createTableMs: 0, deleteTableMs: 0}); s.listen(0, () => console.log('http://127.0.0.1:' + s.address().port))" >"$work/dynalite" 2>&1 &
  pids="$pids $!"
  wait_for_line "$work/dynalite"
  url=$(grep -o 'http://[0-9.:]*' "$work/dynalite" | head -1)
  "$prejoin" prove "$source"/examples/models/[dp]*.prejoin --endpoint "$url" --no-units
fi
