#!/bin/sh
exec "{interpreter}" -B -s "$0.app" "$@"
