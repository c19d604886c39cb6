#!/bin/sh
runfiles="${RUNFILES_DIR:-$0.runfiles}"
exec "$runfiles/{tool}" --label "{label}" --manifest "$runfiles/{manifest}" --variants "$runfiles/{variants}" \
    --sources "$runfiles/{sources}" "$@"
