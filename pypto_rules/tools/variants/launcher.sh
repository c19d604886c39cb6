#!/bin/sh
runfiles="${RUNFILES_DIR:-$0.runfiles}"
# What is in braces is replaced; shellcheck reads braces as the shell's.
# shellcheck disable=SC1083
exec "$runfiles/{tool}" --label "{label}" --manifest "$runfiles/{manifest}" --variants "$runfiles/{variants}" \
    {sources} "$@"
