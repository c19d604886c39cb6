#!/bin/bash
# build.sh as operator projects know it, carried out by Bazel: bash build.sh --help
# Written by: bazel run @pypto_rules//pypto_rules/tools:init
set -euo pipefail

cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
export PYPTO_LAUNCHER=${PYPTO_LAUNCHER:-../bazelw}
exec "$PYPTO_LAUNCHER" run --noshow_progress --show_result=0 @pypto_rules//pypto_rules/tools/build_sh -- "$@"
