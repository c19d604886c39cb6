#!/bin/bash
# Stand-in for a CANN .run file: a self-extracting archive with the options that the build uses.
# The tar archive begins after line @LINES@.

fail() {
    echo "stand-in $(basename "$0"): $1" >&2
    exit 1
}

noexec=no
directory=
for option in "$@"; do
    case "$option" in
        --noexec) noexec=yes ;;
        --extract=?*) directory="${option#--extract=}" ;;
        --nox11 | --quiet) ;;
        *) fail "unknown option '$option'" ;;
    esac
done
[ "$noexec" = yes ] || fail "the install script was started, which no build may do: pass --noexec --extract=DIR"
[ -n "$directory" ] || fail "--noexec needs --extract=DIR"
mkdir -p "$directory" || fail "cannot make '$directory'"
tail -n +@NEXT@ "$0" | tar -x --no-same-owner -f - -C "$directory" || fail "cannot extract to '$directory'"
exit 0
