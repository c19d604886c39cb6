#!/bin/sh
# -S: neither packages of the machine nor their .pth files are looked at.
exec "{interpreter}" -B -S "$0.app" "$@"
